package io.sluice.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
final class ArchitectureTest {
    private static final JavaClasses CLIENT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.client");

    @Test
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .matching("io.sluice.(**)")
                .should()
                .beFreeOfCycles()
                .check(CLIENT);
    }

    @Test
    void onlyTheJdkIsNeeded() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.net.ssl..", "io.sluice.client..", "org.jspecify..")
                .check(CLIENT);
    }
}
