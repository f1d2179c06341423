package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestEvents.admitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Four meters whose sources claim that a caller lies in one partition, so that callers are quiet below half of the threshold of 80. */
class ExceededSpreadTest {
    private static final int METERS = 4;
    private static final int CROWD = 40_000;
    private static final PolicySet POLICIES =
            TestPolicies.policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':80}]}}");

    private final Rig rig = new Rig(
            new InMemoryLeaseStore(),
            new InMemoryWindowStore(),
            TestBudgets.heap(),
            new TaskSettings(0, 1, METERS, 1, 60_000, 5_000, 30_000, 600_000));
    private final LoadBook.Changes watches = rig.book.changes(WatchKeys::is);
    private final List<Meter> meters = new ArrayList<>();

    private void start() {
        rig.task.policies(POLICIES);
        for (int task = 0; task < METERS; task++) {
            Meter meter = new Meter(task, METERS, 1, TestBudgets.TIMES, TestBudgets.heap(), new Counts());
            meter.begin(1);
            meter.policies(POLICIES);
            meters.add(meter);
        }
        for (int i = 0; i < CROWD; i++) {
            meters.get(i % METERS).add(admitted("quiet-" + i, Rig.TIME));
        }
        pass();
    }

    /** Each meter counts as many requests of the caller. */
    private void spread(String caller, int each) {
        for (Meter meter : meters) {
            for (int i = 0; i < each; i++) {
                meter.add(admitted(caller, Rig.TIME));
            }
        }
        pass();
    }

    private void pass() {
        for (Meter meter : meters) {
            watches.drain((key, watch) -> meters.forEach(each -> each.watch(WatchKeys.subject(key), watch.asOf())));
            meter.drainAll((key, partial) -> rig.task.partial(key, partial, Rig.TIME));
            rig.task.position(meter.position(Rig.TIME));
        }
        rig.task.tick(Rig.TIME);
    }

    private List<String> locked() {
        return rig.said.stream().map(GateLock::subject).map(it -> it.get(0)).toList();
    }

    @Test
    void callerInEveryPartition_isHiddenUntilTheClaimIsFoundWrong() {
        start();

        spread("sly", 25);

        assertThat(locked()).as("100 of 80, in four parts of 25").isEmpty();
        assertThat(meters).noneMatch(Meter::spreadExceeded);
    }

    @Test
    void busyCallerInEveryPartition_provesTheClaimWrong_andOthersAreFound() {
        start();

        // a 256th of what a meter counted travels, whatever the mark is
        spread("busy", 15);
        spread("busy", 30);
        pass();
        spread("sly", 25);
        pass();

        assertThat(rig.counts.of(Count.SPREAD_EXCEEDED)).isPositive();
        assertThat(meters).allMatch(Meter::spreadExceeded);
        assertThat(locked()).containsExactlyInAnyOrder("busy", "sly");
    }

    @Test
    void callersInOnePartitionEach_areNoExcess() {
        start();

        for (int i = 0; i < 100; i++) {
            for (int times = 0; times < 45; times++) {
                meters.get(i % METERS).add(admitted("keyed-" + i, Rig.TIME));
            }
        }
        pass();
        pass();

        assertThat(rig.counts.of(Count.SPREAD_EXCEEDED)).isZero();
        assertThat(meters).noneMatch(Meter::spreadExceeded);
    }
}
