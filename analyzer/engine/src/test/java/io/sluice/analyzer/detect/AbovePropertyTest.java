package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.ExactSlidingLog;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.PolicySet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The sum that is looked at is never above the exact one over (t − W, t], and what is over in (t − W + pane, t] is always
 * found: on streams with bursts at pane borders, gaps and disorder, through a combiner that is drained at random, with
 * more subjects than fit in heap, flushes and restarts.
 */
class AbovePropertyTest {
    private static final long START = 1_763_700_000_000L;
    private static final int SLACK = 65_000;

    private final ExactSlidingLog exact = new ExactSlidingLog();
    private final Set<String> found = new HashSet<>();

    @ParameterizedTest
    @CsvSource({"2, 1s, 50", "4, 10s, 10", "6, 1m, 4", "8, 1m, 600", "10, 1h, 600"})
    void neverAboveTheExactSumAndNeverLaterThanAPaneLess(long seed, String length, int panes) {
        run(seed, length, panes);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"1, 1s, 4", "3, 10s, 4", "5, 10s, 40", "7, 1m, 60", "9, 10m, 60", "11, 2s, 8", "12, 1m, 30"})
    void inMoreWindows_neverAboveTheExactSumAndNeverLaterThanAPaneLess(long seed, String length, int panes) {
        run(seed, length, panes);
    }

    private void run(long seed, String length, int panes) {
        Random random = new Random(seed);
        int threshold = 3 + random.nextInt(25);
        PolicySet set = TestPolicies.policies("{'name':'p','per':['caller'],'window':'" + length + "','panes':" + panes
                + ",'lock':{'when':[{'above':" + threshold + "}]}}");
        long window = set.policies().get(0).window().millis();
        long pane = window / panes;
        Windows windows = new Windows(new InMemoryWindowStore(), 's', TestBudgets.windows(4));
        Detection detection = new Detection(
                windows,
                new DetectorState(new InMemoryWindowStore(), TestBudgets.windows(4), key -> false, new Counts()),
                new LoadBook(TestBudgets.heap()),
                new Watches(1, key -> false, (key, end) -> {}),
                SLACK,
                TestBudgets.task(),
                new Counts());
        detection.policies(set);
        Meter meter = TestBudgets.meter(0, 1 + random.nextInt(4));
        meter.policies(set);
        FindingSink sink = (finding, now) -> {
            String caller = finding.key().subject().get(0);
            long t = finding.crossed();
            assertThat(finding.sum()).isGreaterThan(threshold);
            assertThat((long) finding.sum()).isLessThanOrEqualTo(exact.sum(caller, t - window, t));
            found.add(caller);
            return true;
        };

        long time = START;
        for (int i = 0; i < 1_500; i++) {
            time += step(random, window, pane);
            String caller = "caller-" + random.nextInt(8);
            int burst = random.nextInt(20) == 0 ? 1 + random.nextInt(threshold) : 1;
            long at = random.nextInt(5) == 0 ? time - random.nextInt((int) Math.min(60_000, 2 * window)) : time;
            for (int n = 0; n < burst; n++) {
                exact.add(caller, at, 1);
                meter.add(TestEvents.admitted(caller, at));
            }
            if (random.nextInt(4) > 0) {
                meter.drainHeavy((key, partial) -> detection.partial(key, partial, 0, sink));
                continue;
            }
            meter.drainAll((key, partial) -> detection.partial(key, partial, 0, sink));
            assertNobodyIsMissed(threshold, window, pane, time - 60_000);
            if (random.nextInt(10) == 0) {
                windows.flush();
                if (random.nextInt(3) == 0) {
                    detection.discard();
                }
            }
        }

        assertThat(found).isNotEmpty();
    }

    private void assertNobodyIsMissed(int threshold, long window, long pane, long from) {
        for (int i = 0; i < 8; i++) {
            String caller = "caller-" + i;
            if (found.contains(caller)) {
                continue;
            }
            for (long t : exact.times(caller, from)) {
                assertThat(exact.sum(caller, t - window + pane, t))
                        .as("%s at %d is over and was not found", caller, t)
                        .isLessThanOrEqualTo(threshold);
            }
        }
    }

    /** Mostly close together, now and then to the edge of a pane, or over a gap. */
    private static long step(Random random, long window, long pane) {
        return switch (random.nextInt(12)) {
            case 0 -> pane - 1;
            case 1 -> pane;
            case 2 -> pane + 1;
            case 3 -> random.nextInt(10) == 0 ? window + random.nextInt((int) window) : 0;
            default -> random.nextInt((int) Math.max(2, window / 40));
        };
    }
}
