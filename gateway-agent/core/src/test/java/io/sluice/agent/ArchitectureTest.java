package io.sluice.agent;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.HashSet;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
final class ArchitectureTest {
    private static final String INTERNAL = "io.sluice.agent.internal..";
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
                .resideOutsideOfPackage("io.sluice.agent.internal.trace..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(AGENT);
    }

    @Test
    void onlyTheFeedKnowsKafka() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.agent.internal.feed..")
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
                .resideInAnyPackage(
                        "io.sluice.agent.internal.limit..",
                        "io.sluice.agent.internal.lease..",
                        "io.sluice.agent.internal.gate..")
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
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .matching("io.sluice.(**)")
                .should()
                .beFreeOfCycles()
                .check(AGENT);
    }

    @Test
    void publicSignaturesNameNoInternalType() {
        members()
                .that()
                .areDeclaredInClassesThat(resideOutsideOfPackage(INTERNAL).and(modifier(JavaModifier.PUBLIC)))
                .and(modifier(JavaModifier.PUBLIC).or(modifier(JavaModifier.PROTECTED)))
                .should(nameOnlyTypesOutsideOf(INTERNAL))
                .check(AGENT);
    }

    @Test
    void doorsDependOnTheApiOnly() {
        noClasses()
                .that()
                .resideInAnyPackage("io.sluice.agent.http..", "io.sluice.agent.client..", "io.sluice.agent.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(INTERNAL)
                .check(AGENT);
    }

    @Test
    void verdictsDependOnNothingElseOfTheAgent() {
        noClasses()
                .that()
                .resideInAPackage("io.sluice.agent.verdict..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.sluice.agent..").and(resideOutsideOfPackage("io.sluice.agent.verdict..")))
                .check(AGENT);
    }

    @Test
    void onlyTheSearchForStrategiesLoadsServices() {
        noClasses()
                .that()
                .haveSimpleNameNotContaining("QuotaStrategies")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(ServiceLoader.class)
                .check(AGENT);
    }

    private static ArchCondition<JavaMember> nameOnlyTypesOutsideOf(String packages) {
        return new ArchCondition<>("name only types outside of " + packages) {
            @Override
            public void check(JavaMember member, ConditionEvents events) {
                Set<JavaClass> named = new HashSet<>();
                if (member instanceof JavaCodeUnit unit) {
                    named.add(unit.getRawReturnType());
                    unit.getParameterTypes().forEach(type -> named.addAll(type.getAllInvolvedRawTypes()));
                    named.addAll(unit.getReturnType().getAllInvolvedRawTypes());
                } else if (member instanceof JavaField field) {
                    named.addAll(field.getType().getAllInvolvedRawTypes());
                }
                for (JavaClass type : named) {
                    if (resideInAPackage(packages).test(type)) {
                        events.add(SimpleConditionEvent.violated(
                                member, member.getFullName() + " names " + type.getName()));
                    }
                }
            }
        };
    }

    @Test
    void theHostIsLeftAlone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.lang.reflect..", "java.lang.instrument..", "java.lang.management..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(ThreadLocal.class)
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
