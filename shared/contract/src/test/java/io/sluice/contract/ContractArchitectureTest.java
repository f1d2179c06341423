package io.sluice.contract;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class ContractArchitectureTest {
    private static final JavaClasses CONTRACT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.contract");

    @Test
    void onlyTheTopicPackageKnowsKafka() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.contract.topic")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(CONTRACT);
    }

    @Test
    void theContractDependsOnNothingElseOfOurs() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.sluice.contract..",
                        "java..",
                        "javax.crypto..",
                        "com.fasterxml.jackson.core..",
                        "org.apache.kafka..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(CONTRACT);
    }

    @Test
    void rulesAndRecordsKnowNothingOfTheTopicPackage() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.contract.topic")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sluice.contract.topic")
                .check(CONTRACT);
    }
}
