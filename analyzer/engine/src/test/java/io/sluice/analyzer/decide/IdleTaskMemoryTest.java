package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** Heap of a decide task and its meter when nothing arrives: partitions without load cost little. */
@Tag("full")
class IdleTaskMemoryTest {
    private static final int TASKS = 64;
    private static final int MOST_BYTES_EACH = 256 * 1024;
    private static final PolicySet FIVE = TestPolicies.yaml("""
            policies:
              - { name: requests, per: [caller], lock: { when: [{ above: 30000 }] } }
              - { name: share, per: [caller, service], lock: { when: [{ share: 40%, of: [service], beyond: 600000 }] } }
              - { name: bytes, per: [caller], measure: bytes, lock: { when: [{ above: 500000000 }] } }
              - { name: time, per: [caller, service], measure: millis, lock: { when: [{ above: 2000000 }] } }
              - { name: routes, per: [ip/24], measure: { distinct: route }, lock: { when: [{ above: 100 }] } }
            """);

    @Test
    void anIdleDecideTaskAndItsMeter_withFivePolicies_takeLessThan256KiB() {
        LoadBook loads = new LoadBook(TestBudgets.heap());
        List<Rig> idle = IntStream.range(0, TASKS)
                .mapToObj(task -> new Rig(
                        new InMemoryLeaseStore(),
                        new InMemoryWindowStore(),
                        loads,
                        TaskSettings.of(task, TASKS, TASKS)))
                .toList();
        idle.forEach(rig -> rig.policies(FIVE));
        FleetCounts counts = new FleetCounts();
        for (long now = TIME; now < TIME + 120_000; now += 1_000) {
            FleetCounts.Snapshot counted = counts.at(now);
            for (Rig rig : idle) {
                rig.passed(now);
                rig.task.fleet(counted);
                counts.heartbeat(rig.task.heartbeat("a", 0, Map.of(), false, false, 0), now);
            }
        }

        long bytes = GraphLayout.parseInstance(idle).totalSize();

        System.out.printf("%,d bytes for each of %d idle decide tasks and their meters%n", bytes / TASKS, TASKS);
        assertThat(bytes / TASKS).isLessThan(MOST_BYTES_EACH);
    }
}
