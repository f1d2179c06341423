package io.sluice.benchmarks.memory;

import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.window.Retention;
import io.sluice.analyzer.window.Shape;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The windows that a decide task holds in heap, over a store in which there is nothing yet. One thread. */
final class OurWindows {
    private static final String POLICY =
            "{\"policies\":[{\"name\":\"noisy\",\"per\":[\"caller\"],\"window\":\"60s\",\"lock\":{\"when\":[{\"above\":1000}]}}]}";
    private static final long NOW = 1_763_699_999_123L;
    /** The defaults: a minute late, and a clock five seconds ahead. */
    private static final long SLACK_MILLIS = 65_000;

    /** More than a window takes for each of its panes. */
    private static final long PANE_BYTES = 320;

    private static final Origin ORIGIN = new Origin(0, NOW);

    private final Policy policy;
    private final Shape shape;
    private final Windows windows;
    private final int panes;
    private long seq;

    /**
     * @param most how many there will be
     * @param panes in how many panes of its window each caller is counted
     */
    OurWindows(int most, int panes) {
        try {
            policy = PolicySetReader.read(JsonNodes.read(POLICY.getBytes(StandardCharsets.UTF_8), "policies"))
                    .policies()
                    .get(0);
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalStateException(e);
        }
        shape = Shape.of(policy, SLACK_MILLIS);
        // two generations, each with room for all: none of these is old enough to leave
        windows = new Windows(
                new Nothing(), 's', new HeapBudget(4L * most * panes * PANE_BYTES).join(HeapBudget.Kind.DECIDE));
        this.panes = panes;
    }

    /** What a task does when a caller's usage arrives; the usual pane is over its threshold or not, and is asked. */
    void count(String caller) {
        long paneMillis = shape.window().paneMillis();
        for (long time = NOW - (panes - 1) * paneMillis; time <= NOW; time += paneMillis) {
            long pane = shape.window().paneOf(time);
            var partial = new UsagePartial(false, pane, 1, 1, 0, time, time, ORIGIN, ++seq);
            windows.add(new UsageKey(policy.revision(), List.of(caller)), shape, partial)
                    .admitted(pane);
        }
    }

    /** As before each commit. */
    void commit() {
        windows.flush();
    }

    int held() {
        return windows.hot();
    }

    /** It forgets what is written. */
    private static final class Nothing implements WindowStore {
        @Override
        public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
            return null;
        }

        @Override
        public void write(Retention retention, byte[] key, long blockStart, byte[] block) {}
    }
}
