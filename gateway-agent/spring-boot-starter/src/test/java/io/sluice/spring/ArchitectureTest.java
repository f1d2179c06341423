package io.sluice.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
final class ArchitectureTest {
    private static final JavaClasses STARTER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.spring");

    @Test
    void onlyWhatIsInTheSamePlaceInBothGenerationsOfBootIsUsed() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "io.sluice..",
                        "org.jspecify..",
                        "org.slf4j",
                        "jakarta.servlet",
                        "org.springframework.context.annotation",
                        "org.springframework.core.env",
                        "org.springframework.core.io",
                        "org.springframework.boot.actuate.autoconfigure.endpoint.condition",
                        "org.springframework.boot.actuate.endpoint",
                        "org.springframework.boot.actuate.endpoint.annotation",
                        "org.springframework.boot.autoconfigure",
                        "org.springframework.boot.autoconfigure.condition",
                        "org.springframework.boot.cloud",
                        "org.springframework.boot.context.properties",
                        "org.springframework.boot.context.properties.bind",
                        "org.springframework.boot.diagnostics",
                        "org.springframework.boot.web.servlet")
                .check(STARTER);
    }

    @Test
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .matching("io.sluice.(**)")
                .should()
                .beFreeOfCycles()
                .check(STARTER);
    }

    @Test
    void onlyTheAgentsApiIsUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sluice.agent.internal..")
                .check(STARTER);
    }
}
