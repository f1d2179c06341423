package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.EmbeddedKafka;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the image, without the jars that its Dockerfile removes, as processes. */
class ImageTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path DOCKERFILE = Path.of("..", "..", "Dockerfile");
    private static final List<String> CLASS_PATH =
            List.of(System.getProperty("java.class.path").split(File.pathSeparator));

    @TempDir
    Path folder;

    @Test
    void eachRemovedJar_isThere_andNoneOfTheBrokerIsLeft() throws IOException {
        for (String glob : removed()) {
            assertThat(CLASS_PATH).as(glob).anyMatch(entry -> matches(glob, entry));
        }
        assertThat(kept()).noneMatch(entry -> entry.matches(".*/(scala-|kafka_|kafka-server|kafka-raft|log4j).*"));
        assertThat(kept()).anyMatch(entry -> entry.contains("kafka-clients"));
    }

    @Tag("full")
    @Test
    void analyzer_runsWithACluster_andNamesTheRemedyWithoutOne() throws Exception {
        try (SluiceProcess alone = start("alone", Map.of())) {
            assertThat(alone.exitCode(PATIENCE.toSeconds())).as("%s", alone).isEqualTo(1);
            assertThat(alone.toString())
                    .contains("this installation has no broker of its own; kafka.bootstrap.servers names a cluster")
                    .doesNotContain("Exception", "Error");
        }
        try (EmbeddedKafka broker = EmbeddedKafka.builder().start();
                SluiceProcess analyzer = start(
                        "analyzer",
                        Map.of(
                                "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
                                broker.bootstrapServers(),
                                "SLUICE_TOPICS_CREATE",
                                "true",
                                "SLUICE_HTTP_PORT",
                                "0"))) {
            await().atMost(PATIENCE)
                    .failFast("the analyzer ended", () -> !analyzer.alive())
                    .untilAsserted(() -> assertThat(analyzer.toString()).contains("is up"));
        }
    }

    private SluiceProcess start(String name, Map<String, String> environment) throws IOException {
        return SluiceProcess.start(
                name, List.of("analyzer"), environment, folder, String.join(File.pathSeparator, kept()));
    }

    private static List<String> kept() throws IOException {
        List<String> removed = removed();
        return CLASS_PATH.stream()
                .filter(entry -> removed.stream().noneMatch(glob -> matches(glob, entry)))
                .toList();
    }

    /** The patterns behind the Dockerfile's rm. */
    private static List<String> removed() throws IOException {
        Matcher rm = Pattern.compile("&& rm ([^&]*?)\n\n")
                .matcher(Files.readString(DOCKERFILE).replace("\\\n", " "));
        assertThat(rm.find()).as("the Dockerfile removes jars").isTrue();
        return List.of(rm.group(1).strip().split("\\s+"));
    }

    private static boolean matches(String glob, String entry) {
        return FileSystems.getDefault()
                .getPathMatcher("glob:" + glob)
                .matches(Path.of(entry).getFileName());
    }
}
