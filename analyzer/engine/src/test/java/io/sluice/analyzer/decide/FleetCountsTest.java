package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.PolicySet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.GraphLayout;

/** What each task gets of the others is what their newest heartbeats add up to. */
class FleetCountsTest {
    private static final int TASKS = 6;
    /** Windows of 10 s and of a day. */
    private static final PolicySet POLICIES =
            TestPolicies.policies("{'name':'p','per':['caller'],'window':'10s','lock':{'when':[{'above':60}]}},"
                    + "{'name':'day','per':['caller'],'window':'24h','panes':24,'lock':{'when':[{'above':60}]}}");

    private static final Map<String, Long> SETTLING = Map.of("p", 10_000L, "day", 86_400_000L, "unknown", 5_000L);

    private final FleetCounts counts = new FleetCounts();

    /** What was reported of a policy by a task, and until when that of its former epochs counts. */
    private static final class Reported {
        private final Map<Long, Integer> activeUntil = new HashMap<>();
        private int active;
        private int enforced;

        int active(long time) {
            return activeUntil.entrySet().stream()
                    .filter(former -> time < former.getKey())
                    .mapToInt(Map.Entry::getValue)
                    .reduce(active, Math::max);
        }
    }

    private static AnalyzerHeartbeat heartbeat(
            int task, long epoch, Map<String, Integer> active, Map<String, Integer> enforced) {
        return new AnalyzerHeartbeat(new Version("decide-" + task, epoch, 0), "a", TIME, Map.of(), active, enforced);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void others_afterAnyHeartbeats_areTheirSums(long seed) {
        Random random = new Random(seed);
        counts.policies(POLICIES);
        Map<String, Reported[]> reported = new HashMap<>();
        SETTLING.keySet().forEach(policy -> {
            Reported[] tasks = new Reported[TASKS];
            for (int task = 0; task < TASKS; task++) {
                tasks[task] = new Reported();
            }
            reported.put(policy, tasks);
        });
        long[] epochs = new long[TASKS];
        Arrays.fill(epochs, 1);
        long now = TIME;
        for (int step = 0; step < 400; step++) {
            now += random.nextInt(2_000);
            int task = random.nextInt(TASKS);
            boolean restarted = random.nextInt(8) == 0;
            long time = now;
            Map<String, Integer> active = new HashMap<>();
            Map<String, Integer> enforced = new HashMap<>();
            reported.forEach((policy, tasks) -> {
                Reported own = tasks[task];
                if (restarted) {
                    own.activeUntil.put(time + SETTLING.get(policy), own.active(time));
                }
                own.active = random.nextInt(3) == 0 ? 0 : random.nextInt(300);
                own.enforced = random.nextInt(3) == 0 ? 0 : random.nextInt(8);
                if (own.active > 0) {
                    active.put(policy, own.active);
                }
                if (own.enforced > 0) {
                    enforced.put(policy, own.enforced);
                }
            });
            epochs[task] += restarted ? 1 : 0;
            counts.heartbeat(heartbeat(task, epochs[task], active, enforced), now);
            // an incarnation before that has not stopped yet
            counts.heartbeat(heartbeat(task, epochs[task] - 1, Map.of("p", 7_777), Map.of("p", 7_777)), now);

            FleetCounts.Snapshot snapshot = counts.at(now);

            reported.forEach((policy, tasks) -> {
                for (int asking = 0; asking <= TASKS; asking++) {
                    assertThat(snapshot.others(policy, asking))
                            .as("%s, task %s, step of seed %s", policy, asking, seed)
                            .isEqualTo(sums(tasks, asking, time));
                }
            });
        }
    }

    private static FleetCounts.Others sums(Reported[] tasks, int asking, long time) {
        long active = 0;
        long enforced = 0;
        long enforcedBefore = 0;
        for (int task = 0; task < TASKS; task++) {
            if (task != asking) {
                active += tasks[task].active(time);
                enforced += tasks[task].enforced;
                enforcedBefore += task < asking ? tasks[task].enforced : 0;
            }
        }
        return new FleetCounts.Others(active, enforced, enforcedBefore);
    }

    @Test
    void heartbeat_ofAThousandTasksThatNeverCountedAnything_takesNoMemory() {
        long before = GraphLayout.parseInstance(counts).totalSize();

        for (int task = 0; task < 1_000; task++) {
            counts.heartbeat(heartbeat(task, 1, Map.of(), Map.of()), TIME);
        }

        assertThat(GraphLayout.parseInstance(counts).totalSize() - before).isLessThan(64_000);
    }

    @Test
    void heartbeat_ofSomethingElseThanADecideTask_isIgnored() {
        counts.heartbeat(
                new AnalyzerHeartbeat(new Version("other-1", 1, 0), "a", TIME, Map.of(), Map.of("p", 5), Map.of()),
                TIME);

        assertThat(counts.at(TIME).others("p", 0)).isEqualTo(new FleetCounts.Others(0, 0, 0));
    }
}
