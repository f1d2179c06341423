package io.sluice.agent.internal.gate;

import static io.sluice.agent.internal.gate.GateLocks.NOISY;
import static io.sluice.agent.internal.gate.GateLocks.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Precedence of locks, operators' records, the allow list and the kill switch. */
final class LockPrecedenceTest {
    private final GateHarness gates = new GateHarness().policies(NOISY).fresh();

    @ParameterizedTest
    @CsvSource({
        "BLOCK, SHED, one", "BLOCK, THROTTLE, one", "BLOCK, SHADOW, one", "SHED, THROTTLE, one",
        "SHED, SHADOW, one", "SHED, BLOCK, two", "SHADOW, BLOCK, two", "THROTTLE, BLOCK, two",
    })
    void theStricterModeIsNamed(Mode first, Mode second, String named) {
        gates.policies(policy("one", ""), policy("two", ""));
        gates.lock("one", "acme", first);
        gates.lock("two", "acme", second);
        assertThat(gates.asked("acme")).endsWith(" by " + named);
    }

    @Test
    void ofTwoBlocksTheOneThatEndsLaterIsNamed() {
        gates.policies(policy("one", ""), policy("two", ""));
        gates.lock(gates.lockOf("one", "acme", Mode.BLOCK, 10_000, gates.version(1)));
        gates.lock(gates.lockOf("two", "acme", Mode.BLOCK, 20_000, gates.version(1)));
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by two");
    }

    @Test
    void anOperatorsReleaseOutranksTheAnalyzer() {
        gates.operator(gates.release("noisy", "acme"));
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOperatorsReleaseEndsWithItsTtl() {
        gates.operator(gates.release("noisy", "acme"));
        gates.forward(60_000);
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void anOperatorsLockClosesWithoutTheAnalyzer() {
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by noisy");
    }

    @Test
    void anOperatorsThrottleOutranksTheAnalyzersBlock() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(gates.operatorLock("noisy", "acme", Mode.THROTTLE));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOperatorsLockHoldsOnAPolicyThatOnlyReports() {
        gates.policies(policy("noisy", ",\"shadow\":true"));
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void aDeletedOperatorRecordLeavesTheAnalyzersWord() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(gates.release("noisy", "acme"));
        gates.decisions.operatorDeleted(List.of("noisy", "acme"), gates.now());
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void whatIsAllowedOutranksAnOperatorsLock() {
        gates.decisions.policies(GateHarness.set("{\"allow\":[{\"caller\":\"ac*\"}],\"policies\":[" + NOISY + "]}"));
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void whatWasAllowedUntilAMomentIsNotAllowedThen() {
        gates.decisions.policies(
                GateHarness.set("{\"allow\":[{\"caller\":\"acme\",\"until\":\"2025-11-21T04:25:00Z\"}],"
                        + "\"policies\":[" + NOISY + "]}"));
        gates.lock("noisy", "acme", Mode.BLOCK);
        // the wall clock stands at 04:23:21
        assertThat(gates.allows("acme")).isTrue();
        gates.decisions.refresh(gates.now(), GateHarness.WALL + 100_000);
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void theKillSwitchForAllOutranksEverything() {
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        gates.operator(new OperatorRecord.Enforce(null, false, 0, "ann", "panic", 0));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void theKillSwitchForThisAgentIsEnough() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(new OperatorRecord.Enforce(null, true, 0, "ann", "all on", 0));
        gates.operator(new OperatorRecord.Enforce("agent-1", false, 0, "ann", "not this one", 0));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void theKillSwitchForAnotherAgentIsNotOurs() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(new OperatorRecord.Enforce("agent-2", false, 0, "ann", "the other", 0));
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void theKillSwitchIsBackOnAfterItsTtl() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(new OperatorRecord.Enforce(null, false, 10_000, "ann", "a moment", 0));
        assertThat(gates.allows("acme")).isTrue();
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void noOperatorTurnsAConfiguredOffOn() {
        GateHarness off = new GateHarness(false, 10).policies(NOISY).fresh();
        off.lock("noisy", "acme", Mode.BLOCK);
        off.operator(new OperatorRecord.Enforce(null, true, 0, "ann", "on", 0));
        assertThat(off.allows("acme")).isTrue();
    }

    @Test
    void aSetThatDoesNotEnforceOnlyReports() {
        gates.decisions.policies(GateHarness.set("{\"enforce\":false,\"policies\":[" + NOISY + "]}"));
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("noisy", 1L);
    }
}
