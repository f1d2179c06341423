package io.sluice.kafka.embedded;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
final class KafkaInternalsTest {

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackagesOf(EmbeddedKafka.class);

    private static final DescribedPredicate<JavaClass> INTERNAL = DescribedPredicate.describe(
            "Kafka's internals or Scala",
            type -> type.getPackageName().matches("(kafka|scala|org\\.apache\\.kafka)(\\..*)?"));

    @Test
    void onlyTheServerKnowsKafkasInternals() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(KraftServer.class)
                .should()
                .dependOnClassesThat(INTERNAL)
                .check(OURS);
    }

    @Test
    void thisModuleKnowsNothingElseOfSluice() {
        noClasses()
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "another part of Sluice",
                        type -> type.getPackageName().startsWith("io.sluice.")
                                && !type.getPackageName().startsWith("io.sluice.kafka.embedded")))
                .check(OURS);
    }
}
