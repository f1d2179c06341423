package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka with kcat alone: logs go in, locks come out. */
@Tag("server")
@Tag("full")
class KcatTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ACME = "[\"noisy\",\"acme\"]";
    private static final String BLOCK = "\"mode\":\"block\"";
    private static final String ADDRESS = "[\"noisy\",\"203.0.113.9\"]";
    private static final DateTimeFormatter CLF = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: noisy
                per: [caller]
                window: 4s
                panes: 10
                lock: { when: [{ above: 50 }], mode: block, for: 30s, release: 50% }
            """);

    @TempDir
    Path directory;

    @BeforeAll
    static void kcatIsThere() throws Exception {
        try {
            kcat(List.of("-V"), "");
        } catch (IOException e) {
            String missing = "kcat is not installed (Debian: apt-get install kcat): this test did not run";
            if ("true".equals(System.getenv("CI"))) {
                fail(missing);
            }
            abort(missing);
        }
    }

    @Test
    void aLockARenewalAndAReleaseAreThereToRead() throws Exception {
        try (TestFleet fleet = new TestFleet(directory, 4)) {
            String web = TestKafka.topic(fleet.topics.prefix() + "web", 3);
            AnalyzerOptions options = new AnalyzerOptions(
                    TestKafka.client(),
                    new TopicSettings(fleet.topics.prefix(), 4, (short) -1, true),
                    true,
                    List.of(TestFleet.json(fleet.topics.requests()), combined(web)),
                    fleet.analyzer("a", false),
                    POLICIES);
            fleet.start(options);
            fleet.awaitReady();

            // a machine that stands still for longer than the window lets it pass: each round sends enough for a lock
            await("a lock from a combined log").atMost(PATIENCE).until(() -> {
                publish(web, Collections.nCopies(60, combinedLine("203.0.113.9")));
                return newest(fleet, ADDRESS).contains(BLOCK);
            });

            await("a lock from a JSON log").atMost(PATIENCE).until(() -> {
                publish(fleet.topics.requests(), Collections.nCopies(60, TestFleet.event("acme")));
                return newest(fleet, ACME).contains(BLOCK);
            });

            await("a renewal, for it still pushes though it is rejected")
                    .atMost(PATIENCE)
                    .until(() -> {
                        String event = locked(fleet) ? rejected("acme") : TestFleet.event("acme");
                        publish(fleet.topics.requests(), Collections.nCopies(60, event));
                        return renewed(fleet);
                    });

            await("a release, for it has become quiet")
                    .atMost(PATIENCE)
                    .until(() -> newest(fleet, ACME).contains("\"mode\":\"open\""));
        }
    }

    private static SourceSettings combined(String topic) {
        return new SourceSettings(topic, "combined", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
    }

    private static String combinedLine(String ip) {
        return ip + " - - [" + CLF.format(ZonedDateTime.now(ZoneOffset.UTC))
                + "] \"GET /orders/17 HTTP/1.1\" 200 512 \"-\" \"curl/8\"";
    }

    private static String rejected(String caller) {
        return "{\"time\":" + System.currentTimeMillis() + ",\"caller\":\"" + caller + "\",\"status\":429}";
    }

    /** Returns the newest record of a key, empty without one. */
    private static String newest(TestFleet fleet, String key) throws Exception {
        return records(fleet, key).reduce("", (earlier, later) -> later);
    }

    private static boolean locked(TestFleet fleet) throws Exception {
        String newest = newest(fleet, ACME);
        return newest.contains(BLOCK) && number(newest, "until") > System.currentTimeMillis();
    }

    /** Returns whether one lock was published with two ends. */
    private static boolean renewed(TestFleet fleet) throws Exception {
        return records(fleet, ACME)
                .filter(line -> line.contains(BLOCK))
                .collect(Collectors.groupingBy(
                        line -> number(line, "since"),
                        Collectors.mapping(line -> number(line, "until"), Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(untils -> untils.size() > 1);
    }

    private static Stream<String> records(TestFleet fleet, String key) throws Exception {
        return gateLocks(fleet).stream().filter(line -> line.startsWith(key + " {"));
    }

    private static long number(String line, String field) {
        return Long.parseLong(line.replaceAll(".*\"" + field + "\":(\\d+).*", "$1"));
    }

    private static List<String> gateLocks(TestFleet fleet) throws Exception {
        String read = kcat(
                List.of(
                        "-b",
                        TestKafka.bootstrapServers(),
                        "-C",
                        "-t",
                        fleet.topics.gateLocks(),
                        "-e",
                        "-q",
                        "-f",
                        "%k %s\\n"),
                "");
        assertThat(read).isNotEmpty();
        return read.lines().toList();
    }

    private static void publish(String topic, List<String> lines) throws Exception {
        kcat(List.of("-b", TestKafka.bootstrapServers(), "-P", "-t", topic), String.join("\n", lines) + "\n");
    }

    private static String kcat(List<String> arguments, String input) throws IOException, InterruptedException {
        // it waits five seconds for a broker's metadata unless told otherwise
        List<String> command = new ArrayList<>(List.of("kcat", "-m", "60"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(new File("target/kcat.log")))
                .start();
        try (OutputStream to = process.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as("kcat %s", arguments).isZero();
        return output;
    }
}
