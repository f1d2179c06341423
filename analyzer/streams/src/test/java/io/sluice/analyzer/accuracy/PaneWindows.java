package io.sluice.analyzer.accuracy;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.detect.Detection;
import io.sluice.analyzer.detect.DetectorState;
import io.sluice.analyzer.detect.Watches;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;

/** The analyzer's own way: meter, windows made of panes, detection; without the life of locks. */
final class PaneWindows implements Method {
    private final Meter meter = TestBudgets.meter(0, 1);
    private final Detection detection = new Detection(
            new Windows(new InMemoryWindowStore(), 's', TestBudgets.windows(100_000)),
            new DetectorState(new InMemoryWindowStore(), TestBudgets.windows(100), key -> false, new Counts()),
            new LoadBook(TestBudgets.heap()),
            new Watches(1, key -> false, (key, end) -> {}),
            65_000,
            TestBudgets.task(),
            new Counts());
    private boolean found;

    PaneWindows(PolicySet policies) {
        meter.policies(policies);
        detection.policies(policies);
    }

    @Override
    public boolean over(RequestEvent request) {
        found = false;
        meter.add(request);
        meter.drainAll(
                (key, partial) -> detection.partial(key, partial, request.time(), (finding, now) -> found = true));
        return found;
    }
}
