package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.analyzer.cli.CommandResult;
import io.sluice.analyzer.run.SourceTopics;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.topic.TopicDefinition;
import io.sluice.settings.SluiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class SourceTopicsTest {
    @TempDir
    Path folder;

    private final String prefix = TestKafka.name("source") + ".";
    private final String own = prefix + "nginx";
    private Path config;
    private SluiceSettings settings;

    @BeforeEach
    void twoSources() throws Exception {
        config = Files.writeString(folder.resolve("sluice.yml"), """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: 3 }
                sources:
                  - { topic: %srequests }
                  - { topic: %s, format: combined }
                """.formatted(
                        TestKafka.client().get("bootstrap.servers"), prefix, prefix, own));
        settings = SluiceSettings.read(config, Map.of());
    }

    @Test
    void definitions_ownRequestsTopic_isNotAmongThem() {
        assertThat(SourceTopics.definitions(settings))
                .extracting(TopicDefinition::name, TopicDefinition::partitions)
                .containsExactly(tuple(own, 3));
    }

    @Test
    void create_missingSource_isCreated() throws Exception {
        SourceTopics.create(settings, TestKafka.client());

        assertThat(topics()).contains(own).doesNotContain(prefix + "requests");
    }

    @Test
    void topicsCreate_sourcesOnlyWhenAsked() throws Exception {
        String without = run("topics", "create", "--config", config.toString());
        String with = run("topics", "create", "--sources", "--config", config.toString());

        assertThat(without)
                .contains("wrong: " + own + ": is missing; './sluice topics create --sources' creates it")
                .contains("created  " + prefix + "requests");
        assertThat(with).contains("created  " + own, "topics are as they should be");
        assertThat(topics()).contains(own);
    }

    private static Set<String> topics() throws Exception {
        try (Admin admin = Admin.create(TestKafka.client())) {
            return admin.listTopics().names().get();
        }
    }

    private static String run(String... arguments) {
        CommandResult result = CommandResult.run(arguments);
        return result.out() + result.err();
    }
}
