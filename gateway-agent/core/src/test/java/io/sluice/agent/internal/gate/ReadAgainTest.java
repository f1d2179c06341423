package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The topics come again from their beginning: what an operator said without an end holds as long as it stands there. */
final class ReadAgainTest {
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";

    private final GateHarness gates = new GateHarness().fresh();

    private static OperatorRecord endless(String caller) {
        return new OperatorRecord.Lock("noisy", List.of(caller), Mode.BLOCK, 0, 0, "ann", "test", 0);
    }

    private static OperatorRecord off(@Nullable String agent) {
        return new OperatorRecord.Enforce(agent, false, 0, "ann", "test", 0);
    }

    private boolean enforcing() {
        gates.refresh();
        return gates.decisions.enforcing();
    }

    @Test
    void anOperatorsLockThatIsNotThereAnyMoreHoldsUntilAllIsReadAndNoLonger() {
        gates.policies(NOISY);
        gates.operator(endless("acme"));

        gates.decisions.again();
        assertThat(gates.allows("acme")).isFalse();

        gates.decisions.caughtUp();
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOperatorsLockThatIsThereAgainHolds() {
        gates.policies(NOISY);
        gates.operator(endless("acme"));
        gates.operator(endless("bolt"));

        gates.decisions.again();
        gates.operator(endless("acme"));
        gates.decisions.caughtUp();

        assertThat(gates.allows("acme")).isFalse();
        assertThat(gates.allows("bolt")).isTrue();
    }

    @Test
    void aReadingThatWasBrokenOffConfirmsNothing() {
        gates.policies(NOISY);
        gates.operator(endless("acme"));

        gates.decisions.again();
        gates.operator(endless("acme"));
        gates.decisions.again();
        gates.decisions.caughtUp();

        assertThat(gates.allows("acme")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLockThatWaitsForItsPolicyIsTreatedAlike(boolean saidAgain) {
        gates.operator(endless("acme"));

        gates.decisions.again();
        if (saidAgain) {
            gates.operator(endless("acme"));
        }
        gates.decisions.caughtUp();
        gates.policies(NOISY);

        assertThat(gates.allows("acme")).isEqualTo(!saidAgain);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "agent-1")
    void aKillSwitchThatIsNotThereAnyMoreHoldsUntilAllIsReadAndNoLonger(@Nullable String agent) {
        gates.operator(off(agent));

        gates.decisions.again();
        assertThat(enforcing()).isFalse();

        gates.decisions.caughtUp();
        assertThat(enforcing()).isTrue();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "agent-1")
    void aKillSwitchThatIsThereAgainHolds(@Nullable String agent) {
        gates.operator(off(agent));

        gates.decisions.again();
        gates.operator(off(agent));
        gates.decisions.caughtUp();

        assertThat(enforcing()).isFalse();
    }
}
