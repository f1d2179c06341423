package io.sluice.agent.internal.gate;

import static io.sluice.agent.internal.gate.GateLocks.NOISY;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Freshness of gates, and locks whose age is unknown while they are cold. */
final class GateFreshnessTest {
    private final GateHarness gates = new GateHarness().policies(NOISY).fresh();

    @Test
    void aZombiesHeartbeatDoesNotFreshen() {
        gates.heartbeat(2);
        gates.forward(6_000);
        gates.heartbeat(1);
        gates.refresh();
        assertThat(gates.decisions.freshness()).isEqualTo(Freshness.STALE);
    }

    @Test
    void locksOfUnknownAgeAreNotAppliedWhileCold() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.lock("noisy", "acme", Mode.BLOCK);
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.COLD);
        assertThat(cold.allows("acme")).isTrue();
    }

    @Test
    void anOldHeartbeatReadAtBootstrapDoesNotMakeFresh() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.heartbeat(1);
        cold.decisions.caughtUp();
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.COLD);
    }

    @Test
    void withOurOwnHeartbeatTheAgeOfAnOldOneIsKnown() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.heartbeat(1);
        cold.decisions.caughtUp();
        cold.decisions.anchored(cold.brokerNow() + 60_000, cold.now());
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.STALE);
        assertThat(cold.decisions.heartbeatAges(cold.now())).containsEntry("decide-0", 60_000L);
    }

    @Test
    void aHeartbeatThatComesLiveMakesFreshWithoutOurOwn() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.FRESH);
    }

    @Test
    void anOperatorsLockThatEndedLongAgoIsNotAppliedWhenOnlyTheAnalyzerIsHeard() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.decisions.operator(
                cold.operatorLock("noisy", "acme", Mode.BLOCK), cold.brokerNow() - 3_600_000, cold.now());
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.FRESH);
        assertThat(cold.allows("acme")).isTrue();
    }

    @Test
    void aKillSwitchThatEndedLongAgoIsOnWhenOnlyTheAnalyzerIsHeard() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.decisions.operator(
                new OperatorRecord.Enforce(null, false, 60_000, "ann", "test", 0),
                cold.brokerNow() - 3_600_000,
                cold.now());
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.enforcing()).isTrue();
    }

    @Test
    void aLockThatEndedLongAgoIsNotAppliedWhenOnlyAnotherPartitionIsHeard() {
        GateHarness cold = new GateHarness().policies(NOISY);
        GateLock old = cold.lockOf("noisy", "acme", Mode.BLOCK, 60_000, new Version("decide-1", 1, 1));
        cold.decisions.gateRecord(1, old, cold.brokerNow() - 3_600_000, cold.now());
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.FRESH);
        assertThat(cold.allows("acme")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"4999, FRESH", "5000, FRESH", "5001, STALE"})
    void silenceMakesStale(long silence, Freshness expected) {
        gates.forward(silence);
        gates.refresh();
        assertThat(gates.decisions.freshness()).isEqualTo(expected);
    }

    @Test
    void aPartitionThatNobodySpeaksOnMakesStale() {
        gates.decisions.partitions(2);
        gates.refresh();
        assertThat(gates.decisions.freshness()).isEqualTo(Freshness.STALE);
        assertThat(gates.decisions.reasons(gates.now()))
                .extracting(Reason::text)
                .contains("no analyzer task was heard on partition 1");
    }
}
