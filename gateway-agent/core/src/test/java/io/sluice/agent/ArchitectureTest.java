package io.sluice.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
    private static final JavaClasses AGENT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.agent");

    @Test
    void theAgentNeedsNothingButItsAllowList() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.net.ssl..",
                        "io.sluice.agent..",
                        "io.sluice.contract..",
                        "org.apache.kafka.clients..",
                        "org.apache.kafka.common..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "jakarta.servlet..",
                        "io.micrometer.core..",
                        "io.opentelemetry.api..",
                        "com.sun.net.httpserver..")
                .check(AGENT);
    }

    @Test
    void onlyTheMetricsKnowMicrometerAndNobodyKnowsThem() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.agent.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.sluice.agent.metrics..")
                .check(AGENT);
    }

    @Test
    void onlyTheTraceKnowsOpenTelemetry() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.agent.trace..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(AGENT);
    }

    @Test
    void onlyTheFeedKnowsKafka() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.agent.feed..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(AGENT);
    }

    @Test
    void kafkasInternalHelpersAreLeftAlone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka.common.utils..", "..internals..")
                .check(AGENT);
    }

    @Test
    void onlyTheHttpPackageKnowsHttp() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.agent.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta.servlet..", "com.sun.net.httpserver..")
                .check(AGENT);
    }

    @Test
    void theRulesKnowNeitherClockNorThreadNorLog() {
        noClasses()
                .that()
                .resideInAnyPackage("io.sluice.agent.limit..", "io.sluice.agent.lease..", "io.sluice.agent.gate..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "start")
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("org.slf4j..")
                .check(AGENT);
    }

    @Test
    void theHostIsLeftAlone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.lang.reflect..", "java.lang.instrument..", "java.lang.management..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(ServiceLoader.class, ThreadLocal.class)
                .orShould()
                .callMethod(Class.class, "forName", String.class)
                .orShould()
                .callMethod(System.class, "setProperty", String.class, String.class)
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "addShutdownHook", Thread.class)
                .orShould()
                .callMethod(Thread.class, "setDefaultUncaughtExceptionHandler", Thread.UncaughtExceptionHandler.class)
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.sluice.agent", "io.sluice.contract"));
    }
}
