package io.sluice.analyzer.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CombinerPropertyTest {
    private static final long START = 1_763_700_000_000L;

    private record Pane(UsageKey key, boolean load, long pane) {}

    private record Sums(long admitted, long admittedCount, long rejectedCount) {
        Sums plus(Sums other) {
            return new Sums(
                    admitted + other.admitted,
                    admittedCount + other.admittedCount,
                    rejectedCount + other.rejectedCount);
        }
    }

    private final Map<Pane, Sums> expected = new HashMap<>();
    private final Map<Pane, Sums> left = new HashMap<>();

    private void left(UsageKey key, UsagePartial it) {
        left.merge(
                new Pane(key, it.load(), it.pane()),
                new Sums(it.admitted(), it.admittedCount(), it.rejectedCount()),
                Sums::plus);
    }

    /** Counted the slow way: subject [caller], group [] of everything. */
    private void expect(PolicySet set, RequestEvent event) {
        String revision = set.policies().get(0).revision();
        Sums sums = event.rejected() ? new Sums(0, 0, event.count()) : new Sums(event.bytes(), event.count(), 0);
        long pane = event.time() / 1000;
        UsageKey subject = new UsageKey(revision, List.of(event.caller()));
        UsageKey group = new UsageKey(revision, List.of());
        expected.merge(new Pane(subject, false, pane), sums, Sums::plus);
        expected.merge(new Pane(group, true, pane), sums, Sums::plus);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatLeavesIsWhatWasCountedWhateverTheOrderOfDrains(long seed) {
        Random random = new Random(seed);
        PolicySet set = TestPolicies.policies(
                "{'name':'p','per':['caller'],'measure':'bytes'," + "'lock':{'when':[{'share':'50%','beyond':1}]}}");
        Meter meter = TestBudgets.meter(0, 1 + random.nextInt(4));
        meter.policies(set);

        for (int i = 0; i < 20_000; i++) {
            String caller = "caller-" + (int) Math.abs(random.nextGaussian() * 20);
            long time = START + i / 4 - random.nextInt(3000);
            RequestEvent event = random.nextInt(10) == 0
                    ? TestEvents.rejected(caller, time, 1 + random.nextInt(5))
                    : TestEvents.costing(caller, time, random.nextInt(1000), 0);
            expect(set, event);
            meter.add(event);
            switch (random.nextInt(200)) {
                case 0 -> meter.drainAll(this::left);
                case 1, 2, 3, 4, 5 -> meter.drainHeavy(this::left);
                case 6 -> meter.policies(set);
                default -> {}
            }
        }
        meter.drainAll(this::left);

        assertThat(left).isEqualTo(expected);
    }
}
