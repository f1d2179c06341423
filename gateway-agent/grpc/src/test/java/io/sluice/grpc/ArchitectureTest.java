package io.sluice.grpc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
final class ArchitectureTest {
    private static final JavaClasses DOOR = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.grpc");

    @Test
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .matching("io.sluice.(**)")
                .should()
                .beFreeOfCycles()
                .check(DOOR);
    }

    @Test
    void onlyTheAgentsApiIsUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sluice.agent.internal..")
                .check(DOOR);
    }
}
