package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.decide.FleetCounts;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetTest {
    private static final List<String> KEY = List.of("noisy", "acme");
    private static final OperatorRecord RELEASE =
            new OperatorRecord.Release("noisy", List.of("acme"), 600_000, "ann", "ours", 0);

    private final Fleet fleet = new Fleet();

    private static AnalyzerHeartbeat heartbeat(String task, long epoch) {
        return new AnalyzerHeartbeat(new Version(task, epoch, 1), "a", 0, Map.of());
    }

    /** Of a task with so many active subjects of a policy. */
    private static AnalyzerHeartbeat counting(String task, long epoch, Map<String, Integer> active) {
        return new AnalyzerHeartbeat(
                new Version(task, epoch, 1), "a", 0, Map.of(), active, Map.of(), 0, true, false, false);
    }

    @Test
    void aTasksClockKnowsNothingUntilItsOwnHeartbeatIsReadBack() {
        BrokerClock clock = fleet.taskClock("decide-0", 7);

        fleet.heartbeat(heartbeat("decide-0", 6), 1000, 0);
        fleet.heartbeat(heartbeat("decide-1", 7), 1000, 0);
        assertThat(clock.now(0)).isEqualTo(BrokerClock.UNKNOWN);

        fleet.heartbeat(heartbeat("decide-0", 7), 2000, 0);
        assertThat(clock.now(5_000_000)).isEqualTo(2005);
    }

    @Test
    void theProcessClockIgnoresWhatWasReadAsHistory() {
        fleet.heartbeat(heartbeat("decide-0", 1), 1000, 0);
        assertThat(fleet.clock().now(0)).isEqualTo(BrokerClock.UNKNOWN);

        fleet.present();
        fleet.heartbeat(heartbeat("decide-1", 1), 3000, 0);
        assertThat(fleet.clock().now(0)).isEqualTo(3000);
    }

    @Test
    void theBrokersTimeIsGuessedUntilItIsKnown() {
        assertThat(fleet.brokerTime(0, 500)).isEqualTo(500);

        fleet.heartbeat(heartbeat("decide-0", 1), 1000, 0);
        assertThat(fleet.brokerTime(0, 500)).as("our clock is slow").isEqualTo(1000);
        assertThat(fleet.brokerTime(0, 1500)).isEqualTo(1500);

        fleet.present();
        fleet.heartbeat(heartbeat("decide-0", 2), 3000, 0);
        assertThat(fleet.brokerTime(5_000_000, 500)).isEqualTo(3005);
        assertThat(fleet.brokerTime(5_000_000, 9_000)).as("our clock is fast").isEqualTo(3005);
    }

    @Test
    void theHighestEpochOfATaskIsRemembered() {
        fleet.heartbeat(heartbeat("decide-0", 9), 1000, 0);
        fleet.wrote(new Version("decide-0", 8, 100));

        assertThat(fleet.highestEpoch("decide-0")).isEqualTo(9);
        assertThat(fleet.highestEpoch("decide-1")).isZero();
    }

    @Test
    void heartbeat_ofAnEarlierEpoch_doesNotReplaceTheOwners() {
        fleet.present();
        fleet.heartbeat(counting("decide-0", 7, Map.of("p", 1)), 1000, 0);

        fleet.heartbeat(counting("decide-0", 6, Map.of("p", 1)), 3000, 0);

        assertThat(fleet.silence(0)).as("only the owner's count").hasValue(2000);
    }

    @Test
    void agentsOfLongAgoAreDeadAlsoWhileTheTimeIsNotKnown() {
        LiveAgents agents = fleet.agents();
        agents.heard(beat("old", "orders", Freshness.FRESH), 1000);
        agents.heard(beat("new", "orders", Freshness.FRESH), 1001 + Agents.ALIVE_MILLIS);

        assertThat(agents.alive(BrokerClock.UNKNOWN)).isEqualTo(Map.of("orders", 1));
    }

    @Test
    void anAgentLivesForThreeHeartbeatsAndUntilItSaysGoodbye() {
        LiveAgents agents = fleet.agents();
        agents.heard(beat("a", "orders", Freshness.FRESH), 1000);
        agents.heard(beat("b", "orders", Freshness.FRESH), 1001);
        agents.heard(beat("c", "search", Freshness.FRESH), 2000);

        assertThat(agents.alive(1000 + Agents.ALIVE_MILLIS)).isEqualTo(Map.of("orders", 2, "search", 1));
        agents.gone("c");
        assertThat(agents.alive(1001 + Agents.ALIVE_MILLIS)).isEqualTo(Map.of("orders", 1));
        assertThat(agents.alive(1002 + Agents.ALIVE_MILLIS)).isEmpty();
    }

    @Test
    void aTaskThatBeginsLaterHearsWhatOperatorsSaidBeforeAndStillHolds() {
        fleet.operator(List.of("noisy", "gone"), RELEASE, 1);
        fleet.operator(KEY, RELEASE, 2);
        fleet.operator(List.of("noisy", "gone"), null, 3);

        try (OperatorFeed.Subscription late = fleet.operators().subscribe()) {
            assertThat(late.next()).isEqualTo(new OperatorFeed.Entry(KEY, RELEASE, 2));
            assertThat(late.next()).isNull();
        }
    }

    @Test
    void everyTaskHearsWhatIsNewOnce() {
        try (OperatorFeed.Subscription one = fleet.operators().subscribe();
                OperatorFeed.Subscription other = fleet.operators().subscribe()) {
            fleet.operator(KEY, RELEASE, 1);
            fleet.operator(KEY, null, 2);

            for (OperatorFeed.Subscription each : List.of(one, other)) {
                assertThat(each.next()).isEqualTo(new OperatorFeed.Entry(KEY, RELEASE, 1));
                assertThat(each.next()).isEqualTo(new OperatorFeed.Entry(KEY, null, 2));
                assertThat(each.next()).isNull();
            }
        }
    }

    @Test
    void census_tasksOfOneSecond_shareTheAnswer() {
        fleet.agents().heard(beat("a", "orders", Freshness.FRESH), 1000);

        assertThat(fleet.census(7, 1000).agents()).isEqualTo(Map.of("orders", 1));
        fleet.agents().heard(beat("b", "orders", Freshness.FRESH), 1001);
        assertThat(fleet.census(7, 1001)).isSameAs(fleet.census(7, 1000));
        assertThat(fleet.census(8, 1001).agents()).isEqualTo(Map.of("orders", 2));
    }

    @Test
    void census_hasTheCountsOfTheOtherTasks_ofTheOwnersAndPutTogether() {
        fleet.present();
        fleet.heartbeat(counting("decide-0", 7, Map.of("p", 30)), 1000, 0);
        fleet.heartbeat(counting("decide-1", 1, Map.of("p", 5)), 1000, 0);
        fleet.heartbeat(counting("decide-0", 6, Map.of("p", 900)), 1000, 0);

        assertThat(fleet.census(7, 1000).counts().others("p", 1)).isEqualTo(new FleetCounts.Others(30, 0, 0));
        assertThat(fleet.census(7, 1000).counts().others("p", 0)).isEqualTo(new FleetCounts.Others(5, 0, 0));
    }

    @Test
    void census_ofATaskThatDoesNotKnowTheTime_hasNoCountsOfEpochsThatEndedLongAgo() {
        fleet.policies(TestPolicies.above(60));
        fleet.present();
        fleet.heartbeat(counting("decide-0", 1, Map.of("p", 10_000)), 1_000, 0);
        fleet.heartbeat(counting("decide-0", 2, Map.of("p", 100)), 2_000, 0);
        assertThat(fleet.census(1, 2_000).counts().others("p", 1).active())
                .as("it may not have seen them again")
                .isEqualTo(10_000);

        fleet.heartbeat(counting("decide-0", 2, Map.of("p", 100)), 500_000, 0);

        assertThat(fleet.census(2, BrokerClock.UNKNOWN).counts().others("p", 1).active())
                .isEqualTo(100);
    }

    private static AgentHeartbeat beat(String agent, String service, Freshness freshness) {
        return new AgentHeartbeat(agent, service, freshness, 0, 1, 0, 0, 0, Map.of(), Map.of());
    }
}
