package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several meters hold back thousands of quiet callers; watches reach them at once. A few callers come near the threshold, spread over the meters
 * in every way. Locks are those of the exact sums all the same.
 */
class QuietPropertyTest {
    private static final long START = 1_763_700_000_000L;
    private static final int CALLERS = 12;
    private static final int ROUND = 150;
    private static final int EVENTS = 200_000;

    private final ExactTimes exact = new ExactTimes();
    private final Set<String> found = new HashSet<>();
    private final List<Meter> meters = new ArrayList<>();
    private long partials;

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1m, 12", "7, 4, 4, 10s, 4", "9, 4, 1, 1m, 12", "11, 16, 4, 10s, 10"})
    void someCallersNearTheThreshold_areLockedAsByTheExactSum(
            long seed, int tasks, int spread, String length, int panes) {
        run(seed, tasks, spread, length, panes, EVENTS);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "2, 2, 2, 1m, 12",
        "3, 3, 3, 10s, 10",
        "4, 4, 4, 1m, 60",
        "5, 8, 8, 1m, 12",
        "6, 16, 16, 2m, 10",
        "8, 5, 5, 1h, 60",
        "10, 8, 2, 1m, 12"
    })
    void callersNearTheThreshold_areLockedAsByTheExactSum(long seed, int tasks, int spread, String length, int panes) {
        run(seed, tasks, spread, length, panes, EVENTS);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"12, 64, 64, 10s, 10", "13, 64, 2, 1m, 12", "14, 256, 256, 10s, 10", "15, 256, 2, 10s, 10"})
    void manyMeters_lockAsByTheExactSum(long seed, int tasks, int spread, String length, int panes) {
        run(seed, tasks, spread, length, panes, 7 * EVENTS);
    }

    private void run(long seed, int tasks, int spread, String length, int panes, int events) {
        Random random = new Random(seed);
        int threshold = 12 * spread + random.nextInt(20);
        PolicySet set = TestPolicies.policies("{'name':'p','per':['caller'],'window':'" + length + "','panes':" + panes
                + ",'lock':{'when':[{'above':" + threshold + "}]}}");
        long window = set.policies().get(0).window().millis();
        Detection detection = new Detection(
                new Windows(new InMemoryWindowStore(), 's', TestBudgets.windows(1_000)),
                new DetectorState(new InMemoryWindowStore(), TestBudgets.windows(4), key -> false, new Counts()),
                new LoadBook(TestBudgets.heap()),
                new Watches(tasks, key -> false, (key, end) -> meters.forEach(meter -> meter.watch(key, end))),
                65_000,
                TestBudgets.task(),
                new Counts());
        detection.policies(set);
        for (int task = 0; task < tasks; task++) {
            Meter meter = new Meter(task, tasks, spread, TestBudgets.TIMES, TestBudgets.heap(), new Counts());
            meter.policies(set);
            meters.add(meter);
        }
        FindingSink sink = (finding, now) -> {
            String caller = finding.key().subject().get(0);
            if (found.contains(caller)) {
                return true;
            }
            assertThat((long) finding.sum())
                    .isGreaterThan(threshold)
                    .isLessThanOrEqualTo(exact.sum(caller, finding.crossed() - window, finding.crossed()));
            found.add(caller);
            return true;
        };

        // each round quiet callers, and one event or two of each of those near the threshold, which make about a
        // threshold in a window
        // as many for each meter as without a spread
        int round = ROUND * tasks / spread;
        double step = window / (double) threshold / round;
        for (int i = 0; i < events; i++) {
            long time = START + (long) (i * step);
            if (i % round < CALLERS) {
                int caller = i % round;
                // a new name every three windows, in which its rate grows from a half of the threshold to half as much
                // again
                long cycle = Math.floorDiv(time, 3 * window);
                double rate = 0.5 + Math.floorMod(time, 3 * window) / (3.0 * window);
                int many = (int) rate + (random.nextDouble() < rate % 1 ? 1 : 0);
                long at = random.nextInt(20) == 0 ? time - random.nextInt((int) Math.min(50_000, window)) : time;
                for (int n = 0; n < many; n++) {
                    count("caller-" + caller + "-" + cycle, at, (caller + place(random, caller, spread)) % tasks);
                }
            }
            int quiet = random.nextInt(5_000 * tasks / spread);
            count("quiet-" + quiet, time, (quiet + random.nextInt(spread)) % tasks);
            if (random.nextInt(50) == 0) {
                drain(detection, sink, random.nextBoolean());
                if (random.nextInt(25) == 0) {
                    assertNoneIsMissed(threshold, window, window / panes, time - 60_000);
                }
            }
        }

        assertThat(found).isNotEmpty().allMatch(caller -> caller.startsWith("caller-"));
        assertThat(partials).as("partials that travelled").isLessThan(events / 3);
    }

    /** Some callers reach one of their meters alone, some two of them, some all, some mostly one. */
    private static int place(Random random, int caller, int tasks) {
        return switch (caller % 4) {
            case 0 -> caller % tasks;
            case 1 -> random.nextInt(Math.min(2, tasks));
            case 2 -> random.nextInt(tasks);
            default -> random.nextInt(10) < 5 ? 0 : random.nextInt(tasks);
        };
    }

    private void count(String caller, long time, int task) {
        if (caller.startsWith("caller-")) {
            exact.add(caller, time);
        }
        meters.get(task).add(TestEvents.admitted(caller, time));
    }

    /** Until nothing more comes of it: a watch releases something of other meters. */
    private void drain(Detection detection, FindingSink sink, boolean all) {
        long before;
        do {
            before = partials;
            for (Meter meter : meters) {
                if (all) {
                    meter.drainAll((key, partial) -> {
                        partials++;
                        detection.partial(key, partial, 0, sink);
                    });
                } else {
                    meter.drainHeavy((key, partial) -> {
                        partials++;
                        detection.partial(key, partial, 0, sink);
                    });
                }
            }
        } while (partials > before);
        if (!all) {
            drain(detection, sink, true);
        }
    }

    /** Every sum of a window without its first pane, with an event at its end that can still be counted. */
    private void assertNoneIsMissed(int threshold, long window, long pane, long from) {
        for (String caller : exact.callers()) {
            if (found.contains(caller)) {
                continue;
            }
            long[] times = exact.sortedTimes(caller);
            int first = 0;
            for (int last = 0; last < times.length; last++) {
                while (times[first] <= times[last] - window + pane) {
                    first++;
                }
                if (times[last] >= from) {
                    assertThat(last - first + 1)
                            .as("%s at %d is over and was not found", caller, times[last])
                            .isLessThanOrEqualTo(threshold);
                }
            }
        }
    }

    /** The times of the events of the callers near the threshold. */
    private static final class ExactTimes {
        private final Map<String, List<Long>> times = new HashMap<>();

        void add(String caller, long time) {
            times.computeIfAbsent(caller, it -> new ArrayList<>()).add(time);
        }

        Set<String> callers() {
            return times.keySet();
        }

        long[] sortedTimes(String caller) {
            return times.getOrDefault(caller, List.of()).stream()
                    .mapToLong(it -> it)
                    .sorted()
                    .toArray();
        }

        /** The sum over (after, upTo]. */
        long sum(String caller, long after, long upTo) {
            return times.getOrDefault(caller, List.of()).stream()
                    .filter(time -> time > after && time <= upTo)
                    .count();
        }
    }
}
