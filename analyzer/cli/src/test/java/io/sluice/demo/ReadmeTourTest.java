package io.sluice.demo;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.launcher.Sluice;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pastes the README's tour into shells, block by block. Only the addresses and the window differ: the broker is one of this test's, so that the tour
 * can run beside others.
 */
@Tag("server")
@Tag("full")
class ReadmeTourTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();
    private static final String WATCH = "./sluice locks watch";

    @TempDir
    Path folder;

    private final List<Process> running = new ArrayList<>();
    private EmbeddedKafka kafka;
    private int httpPort;

    @BeforeEach
    void aFolderLikeTheCheckout() throws Exception {
        if (!onPath("kcat")) {
            String missing = "kcat is not installed (Debian: apt-get install kcat): this test did not run";
            if ("true".equals(System.getenv("CI"))) {
                fail(missing);
            }
            abort(missing);
        }
        kafka = EmbeddedKafka.builder().start();
        httpPort = FreePort.next();
        Path launcher = Files.writeString(
                folder.resolve("sluice"),
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                        + " -Dsluice.patience=" + System.getProperty("sluice.patience", "1")
                        + " -cp \"$TOUR_CLASS_PATH\" " + Sluice.class.getName() + " \"$@\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(folder.resolve("examples"), CHECKOUT.resolve("examples"));
    }

    @AfterEach
    void stop() {
        running.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
        if (kafka != null) {
            kafka.close();
        }
    }

    @Test
    void tour_pastedBlockByBlock_everyCommandWorks() throws Exception {
        List<String> blocks = blocks();
        assertThat(blocks).hasSizeGreaterThanOrEqualTo(8);
        Path analyzerLog = folder.resolve("analyzer.out");
        Path watched = folder.resolve("watch.out");
        Process watch = null;
        for (String block : blocks) {
            if (block.contains("./sluice analyzer")) {
                Process analyzer = start(block, analyzerLog);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(analyzer.isAlive())
                            .as(Files.readString(analyzerLog))
                            .isTrue();
                    assertThat(Files.readString(analyzerLog)).contains("RUNNING");
                });
            } else if (block.contains(WATCH)) {
                assertThat(paste(block.replace(WATCH, ""))).contains("noisy-neighbour", "over 100 requests");
                watch = start(WATCH, watched);
            } else if (block.startsWith("POLICY ")) {
                Process watching = requireNonNull(watch);
                await().atMost(PATIENCE)
                        .failFast("the watch has ended", () -> !watching.isAlive())
                        .untilAsserted(
                                () -> assertThat(Files.readString(watched)).contains("noisy-neighbour", "acme"));
            } else if (block.contains("callers show")) {
                assertThat(paste(block)).contains("acme ", "noisy-neighbour acme: 200 of 100 requests");
            } else {
                paste(block);
            }
        }
    }

    /** The indented blocks of the section, as they would be pasted. */
    private List<String> blocks() throws IOException {
        String readme = Files.readString(CHECKOUT.resolve("README.md"));
        String tour =
                readme.substring(readme.indexOf("## Five-minute tour"), readme.indexOf("## Put it into a service"));
        assertThat(tour).contains("window: 1m");
        // on a slow machine the commands of a block take longer than a minute
        tour = tour.replace("window: 1m", "window: 1h");
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        for (String line : tour.split("\n", -1)) {
            if (line.startsWith("    ")) {
                block.append(line.substring(4)).append('\n');
            } else if (!block.isEmpty() && !line.isEmpty()) {
                blocks.add(block.toString().replace("127.0.0.1:9092", kafka.bootstrapServers()));
                block.setLength(0);
            }
        }
        if (!block.isEmpty()) {
            blocks.add(block.toString());
        }
        return blocks;
    }

    private String paste(String block) throws Exception {
        Path out = Files.createTempFile(folder, "block", ".out");
        Process process = start(block, out);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(block)
                .isTrue();
        String said = Files.readString(out);
        assertThat(process.exitValue()).as(block + "\n" + said).isZero();
        return said;
    }

    private Process start(String block, Path out) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", block)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SLUICE_"));
        builder.environment()
                .putAll(Map.of(
                        "TOUR_CLASS_PATH", System.getProperty("java.class.path"),
                        "SLUICE_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                        "SLUICE_TOPICS_CREATE", "true",
                        "SLUICE_HTTP_PORT", Integer.toString(httpPort)));
        Process process = builder.start();
        running.add(process);
        return process;
    }

    private static boolean onPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
