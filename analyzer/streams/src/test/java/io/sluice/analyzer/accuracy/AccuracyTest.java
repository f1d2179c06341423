package io.sluice.analyzer.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Makes the tables of {@code docs/accuracy.md}: {@code ./mvnw -pl analyzer/streams -am test -Paccuracy}. */
@Tag("server")
@Tag("accuracy")
class AccuracyTest {
    private static final int[] PANES = {10, 60, 600};
    private static final int CROWDS = 5;
    private static final int CROWD = 4_000;
    /** The panes of the logs that the other method is tried on, too; it has none itself. */
    private static final int USUAL = 60;

    private static final String DECISIONS = """
            | traffic | method | requests | over here only | over exactly only | callers over | locked when not over \
            | missed, never due | missed though due | highest peak of the missed |
            | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |
            """;
    private static final String DELAYS = """
            | traffic | method | locks | p50, ms | p99, ms | max, ms | p50, panes | p99, panes | max, panes |
            | --- | --- | --: | --: | --: | --: | --: | --: | --: |
            """;

    private final Map<String, Tally> panes = new TreeMap<>();
    private final Map<String, Tally> counters = new TreeMap<>();

    @Test
    void tables() throws Exception {
        List<String> decisions = new ArrayList<>();
        List<String> delays = new ArrayList<>();
        for (int count : PANES) {
            panes.clear();
            counters.clear();
            workloads(count).forEach(this::measure);
            panes.forEach((kind, tally) -> {
                decisions.add("| " + kind + " | " + count + " panes | " + tally.decisions());
                delays.add("| " + kind + " | " + count + " panes | " + tally.delays());
            });
            if (count == USUAL) {
                counters.forEach(
                        (kind, tally) -> decisions.add("| " + kind + " | two counters | " + tally.decisions()));
            }

            assertThat(panes.values()).allSatisfy(tally -> {
                assertThat(tally.falseLocks()).isZero();
                assertThat(tally.overOnlyHere()).isZero();
                assertThat(tally.missedWhenDue()).isZero();
            });
        }
        String tables = DECISIONS + sorted(decisions) + "\n" + DELAYS + sorted(delays);
        Files.writeString(Path.of("target", "accuracy.md"), tables);
        System.out.println(tables);
    }

    private static String sorted(List<String> lines) {
        return lines.stream().sorted().map(line -> line + "\n").collect(Collectors.joining());
    }

    private static Stream<Workload> workloads(int count) {
        return Stream.concat(
                IntStream.range(0, Workload.SEEDS).mapToObj(seed -> Workload.withPanes(seed, Workload.CALLERS, count)),
                IntStream.range(0, CROWDS).mapToObj(seed -> Workload.crowd(seed, CROWD, count)));
    }

    private void measure(Workload workload) {
        Truth truth = Truth.of(workload);
        ExactOracle exact = new ExactOracle(workload.policies());
        PaneWindows windows = new PaneWindows(workload.policies());
        TwoCounters twoCounters = new TwoCounters(workload.policy(), workload.limit());
        Map<String, Long> locked = new HashMap<>();
        Map<String, Long> lockedByCounters = new HashMap<>();
        for (RequestEvent event : workload.events()) {
            exact.add(event);
            if (counts(event)) {
                boolean over = exact.reading(workload.policy().name(), List.of(event.caller()))
                        .orElseThrow()
                        .over();
                decide(windows, event, over, locked, of(panes, event.caller()));
                decide(twoCounters, event, over, lockedByCounters, of(counters, event.caller()));
            }
        }

        assertThat(locked).as("windows and locks say the same").isEqualTo(locks(workload));
        Tally.callers(workload, truth, locked, name -> of(panes, name));
        Tally.callers(workload, truth, lockedByCounters, name -> of(counters, name));
    }

    private static void decide(
            Method method, RequestEvent event, boolean exactly, Map<String, Long> locked, Tally tally) {
        boolean over = method.over(event);
        tally.request(over, exactly);
        if (over) {
            locked.putIfAbsent(event.caller(), event.time());
        }
    }

    private static boolean counts(RequestEvent event) {
        return !event.rejected() && event.identity() != Identity.CLAIMED;
    }

    /** When each caller was locked first. */
    private static Map<String, Long> locks(Workload workload) {
        Map<String, Long> locked = new HashMap<>();
        try (ReplayEngine engine = new ReplayEngine(workload.policies())) {
            workload.events().forEach(engine::add);
            engine.locks().forEach(lock -> locked.putIfAbsent(lock.subject().get(0), lock.at()));
        }
        return locked;
    }

    private static Tally of(Map<String, Tally> tallies, String caller) {
        String kind = caller.substring(0, caller.indexOf('-')).toUpperCase(Locale.ROOT);
        if (kind.equals("CROWD")) {
            return tallies.computeIfAbsent("crowd", any -> new Tally());
        }
        String name = Arrivals.valueOf(kind).adversarial ? "near N, aimed at panes" : "near N";
        return tallies.computeIfAbsent(name, any -> new Tally());
    }
}
