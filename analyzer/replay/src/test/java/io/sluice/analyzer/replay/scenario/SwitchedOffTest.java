package io.sluice.analyzer.replay.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No scenario passes without what it is about: a detector out of reach, or a protection that is not there. */
class SwitchedOffTest {
    private static final String NEVER = "above: 1000000000";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** What is taken away: {@code from} becomes {@code to}, wherever it stands in the file. */
    private record Change(String scenario, String file, String from, String to) {
        @Override
        public String toString() {
            return scenario + ": " + from.strip() + " -> " + (to.isEmpty() ? "nothing" : to);
        }
    }

    private static Change policy(String scenario, String from, String to) {
        return new Change(scenario, Scenario.POLICIES, from, to);
    }

    static List<Change> changes() {
        return List.of(
                policy("above-and-spike", "            - { above: 30 }\n", ""),
                policy("above-and-spike", "            - { spike: 5, baseline: 5m, floor: 15 }\n", ""),
                policy("above-and-spike", "above: 30", NEVER),
                policy("allow-list", "above: 100", NEVER),
                policy("allow-list", "  - { caller: \"internal-*\" }\n", ""),
                policy("allow-list", ", until: \"2026-03-02T10:05:00Z\"", ""),
                policy(
                        "allow-list",
                        "  - { ip: 10.0.0.0/8, until: \"2026-03-02T10:05:00Z\", reason: load test }\n",
                        ""),
                policy("any-of", "        - { above: 200 }\n", ""),
                policy("any-of", "        - { share: 50%, of: [], beyond: 60, others: 10 }\n", ""),
                policy("botnet", "above: 60 ", NEVER),
                policy("botnet", "above: 300 ", NEVER),
                policy("botnet", "above: 600 ", NEVER),
                policy("burst-at-border", "above: 100", NEVER),
                policy("burst-at-border", "window: 1m", "window: 1s\n    panes: 4"),
                policy("bytes-hog", "above: 50MB", "above: 50GB"),
                policy("bytes-hog", "    match: { not: { caller: \"backup-*\" } }\n", ""),
                policy("clock-skew", "above: 20", NEVER),
                policy("credential-stuffing", "above: 20", NEVER),
                policy("credential-stuffing", "    measure: { distinct: caller }\n", ""),
                policy("credential-stuffing", ", status: [401, 403]", ""),
                policy("debt", "above: 60", NEVER),
                policy("debt", "for: debt", "for: 5m"),
                policy("escalate", "above: 20", NEVER),
                policy("escalate", "      escalate: { factor: 2, upTo: 3m, forget: 10m }\n", ""),
                policy("escalate", "upTo: 3m", "upTo: 1h"),
                policy("escalate", "forget: 10m", "forget: 1h"),
                policy("flapping-demand", "above: 20", NEVER),
                policy("flapping-demand", "release: 50%", "release: 80%"),
                policy("framed-caller", "above: 100", NEVER),
                new Change("framed-caller", Scenario.EVENTS, ",\"identity\":\"claimed\"", ""),
                policy("guard", "above: 5", NEVER),
                policy("guard", "guard: { subjects: 10%,", "guard: { subjects: 50%,"),
                policy("late-upload", "above: 100", NEVER),
                policy("nat-gateway", "beyond: 20,", "beyond: 1000000000,"),
                policy("nat-gateway", ", whenOthersSlow: 1.5", ""),
                policy("plan-overrides", "above: 60 ", NEVER),
                policy("plan-overrides", "above: 30 ", NEVER),
                policy("plan-overrides", "caller: acme }", "caller: emca }"),
                policy("plan-overrides", "labels.plan: gold }", "labels.plan: lead }"),
                policy("retry-storm", "above: 100", NEVER),
                policy("retry-storm", "release: 50%", "release: 0%"),
                policy("scraper", "per: [ip/24]", "per: [ip]"),
                policy("scraper", "above: 40", NEVER),
                policy("scraper", "    measure: { distinct: route }\n", ""),
                policy("shed", "above: 300", NEVER),
                policy("shed", "mode: shed", "mode: block"),
                policy("slow-query-hog", "beyond: 20000", "beyond: 1000000000"),
                policy("slow-query-hog", "    measure: millis\n", ""),
                policy("token-hog", "above: 60000", NEVER),
                policy("token-hog", "    measure: cost\n", ""),
                policy("small-spike", "floor: 15", "floor: 1000000000"),
                policy("small-spike", "spike: 5,", "spike: 1000000,"),
                policy("small-spike", "floor: 15", "floor: 5"));
    }

    /** One of each scenario in the default build. */
    static Stream<Change> some() {
        Set<String> scenarios = new HashSet<>();
        int each = Seeds.of(1, Integer.MAX_VALUE);
        return changes().stream().filter(change -> scenarios.add(change.scenario()) || each > 1);
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("some")
    void aScenarioFailsWithoutWhatItIsAbout(Change change) throws IOException {
        Path changed = copy(change.scenario());
        Path file = changed.resolve(change.file());
        String text = Files.readString(file);
        assertThat(text).contains(change.from());
        Files.writeString(file, text.replace(change.from(), change.to()));

        Folders.Run run = Folders.run(changed);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith(change.scenario() + ": FAILED.").containsAnyOf("missing  ", "unexpected  ");
        assertThat(run.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("appended")
    void whatIsAboutClocksFailsWhenEveryClockIsBelieved(String scenario) throws IOException {
        Path changed = copy(scenario);
        Path events = changed.resolve(Scenario.EVENTS);
        try (Stream<String> lines = Files.lines(events)) {
            // the time is the first field, and all times have as many digits
            List<String> believed = lines.map(line -> line.replaceAll(",\"appended\":[0-9]+", ""))
                    .sorted()
                    .toList();
            Files.write(events, believed);
        }

        Folders.Run run = Folders.run(changed);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith(scenario + ": FAILED.");
    }

    static List<String> appended() {
        return List.of("clock-skew", "late-upload");
    }

    @Test
    void noScenarioIsLeftOut() {
        assertThat(changes()).extracting(Change::scenario).containsAll(Folders.all());
        assertThat(Folders.all().stream()
                        .filter(name -> Folders.text(name, Scenario.EVENTS).contains("\"appended\"")))
                .containsExactlyElementsOf(appended());
    }

    private Path copy(String scenario) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(scenario));
        for (String file : List.of(Scenario.POLICIES, Scenario.EVENTS, Scenario.EXPECTED)) {
            Files.copy(Folders.ROOT.resolve(scenario).resolve(file), copy.resolve(file));
        }
        return copy;
    }
}
