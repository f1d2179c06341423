package io.sluice.analyzer.topology;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the list of docs/decisions/0015 to what is there. */
@Tag("full")
class AnalyzerInternalsTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.analyzer");

    @Test
    void onlyTheClassesNamedThere_useInternalsOfKafkasClientsAndStreams() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(CombinerStore.class, DeadLetter.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..internals..")
                .check(OURS);
    }
}
