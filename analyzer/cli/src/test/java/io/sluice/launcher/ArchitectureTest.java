package io.sluice.launcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports point one way, and rules know nothing of what carries their records. Looks at all modules together. */
@Tag("full")
class ArchitectureTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // nor those of other modules
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.sluice");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.sluice.contract.policy..",
                "io.sluice.contract.key..",
                "io.sluice.contract.json..",
                "io.sluice.contract.event..",
                "io.sluice.contract.lock..",
                "io.sluice.contract.operator..",
                "io.sluice.contract.usage..",
                "io.sluice.contract.agent..",
                "io.sluice.analyzer.meter..",
                "io.sluice.analyzer.window..",
                "io.sluice.analyzer.distinct..",
                "io.sluice.analyzer.history..",
                "io.sluice.analyzer.load..",
                "io.sluice.analyzer.detect..",
                "io.sluice.analyzer.decide..",
                "io.sluice.analyzer.ingest..",
                "io.sluice.analyzer.exact..",
                "io.sluice.analyzer.recount..",
                "io.sluice.analyzer.replay..",
                "io.sluice.agent.internal.gate..",
                "io.sluice.agent.internal.limit..",
                "io.sluice.agent.internal.lease..",
                "io.sluice.agent.internal.log..",
                "io.sluice.agent.http..",
                "io.sluice.agent.client..",
                "io.sluice.demo.traffic..",
                "io.sluice.demo.story..",
                "io.sluice.demo.view.."
            })
    void businessRulesKnowNoKafka(String rules) {
        noClasses()
                .that()
                .resideInAPackage(rules)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "kafka..", "org.rocksdb..")
                .check(ALL);
    }

    @Test
    void theAnalyzerKnowsNothingOfTheAgent() {
        noClasses()
                .that()
                .resideInAPackage("io.sluice.analyzer..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sluice.agent..")
                .check(ALL);
    }

    @Test
    void theSidecarKnowsNothingOfTheAnalyzer() {
        noClasses()
                .that()
                .resideInAPackage("io.sluice.sidecar..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sluice.analyzer..")
                .check(ALL);
    }

    @Test
    void theAgentKnowsOnlyTheContract() {
        classes()
                .that()
                .resideInAPackage("io.sluice.agent..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.sluice.agent..",
                        "io.sluice.contract..",
                        "java..",
                        "javax.net.ssl..",
                        "com.sun.net.httpserver..",
                        "com.fasterxml.jackson.core..",
                        "org.apache.kafka..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "io.micrometer.core..",
                        "io.opentelemetry.api..",
                        "jakarta.servlet..")
                .check(ALL);
    }

    @Test
    void theContractDependsOnNothingOfOurs() {
        classes()
                .that()
                .resideInAPackage("io.sluice.contract..")
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
                .check(ALL);
    }

    @Test
    void onlyTheTopicPackageOfTheContractKnowsKafka() {
        noClasses()
                .that()
                .resideInAPackage("io.sluice.contract..")
                .and()
                .resideOutsideOfPackage("io.sluice.contract.topic..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(ALL);
    }

    @Test
    void nothingThatIsSharedKnowsWhoSharesIt() {
        noClasses()
                .that()
                .resideInAnyPackage("io.sluice.contract..", "io.sluice.settings..", "io.sluice.kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.sluice.analyzer..", "io.sluice.agent..", "io.sluice.demo..")
                .check(ALL);
    }

    @Test
    void onlyTheLauncherKnowsTheDemo() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.sluice.demo..", "io.sluice.launcher..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sluice.demo..")
                .check(ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "analyzer", "contract", "kafka", "demo"})
    void packagesFormNoCycle(String part) {
        slices().matching("io.sluice." + part + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(ALL);
    }

    @Test
    void allModulesWereLookedAt() {
        for (String module : List.of("contract", "settings", "kafka", "analyzer", "agent", "sidecar", "demo")) {
            assertThat(ALL.stream().anyMatch(type -> type.getPackageName().startsWith("io.sluice." + module)))
                    .as("classes of io.sluice.%s", module)
                    .isTrue();
        }
    }
}
