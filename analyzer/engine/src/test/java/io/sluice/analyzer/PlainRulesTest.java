package io.sluice.analyzer;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class PlainRulesTest {
    private static final String[] PLAIN = {
        "io.sluice.analyzer.budget",
        "io.sluice.analyzer.meter",
        "io.sluice.analyzer.window",
        "io.sluice.analyzer.distinct",
        "io.sluice.analyzer.history",
        "io.sluice.analyzer.load",
        "io.sluice.analyzer.detect",
        "io.sluice.analyzer.top",
        "io.sluice.analyzer.decide",
        "io.sluice.analyzer.exact",
        "io.sluice.analyzer.recount"
    };
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(PLAIN);

    @Test
    void theRulesKnowOnlyJavaTheContractAndEachOther() {
        classes()
                .that()
                .resideInAnyPackage(PLAIN)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "org.jspecify..", "com.dynatrace.hash4j..", "io.sluice.contract..")
                                .or(resideInAnyPackage(PLAIN))
                                .or(belongToAnyOf(Count.class, Counts.class)))
                .check(CLASSES);
    }

    @Test
    void theRulesPackagesFormNoCircle() {
        slices().matching("io.sluice.analyzer.(*)").should().beFreeOfCycles().check(CLASSES);
    }
}
