package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Quota;
import org.junit.jupiter.api.Test;

/** Limits with {@code warmUp}. */
final class WarmUpLimitsTest {
    private final GateHarness gates = new GateHarness();

    private static String warming(String more) {
        return ("{'name':'cold','per':['caller'],'limit':{'rate':'10/s','burst':1," + more + "}}").replace('\'', '"');
    }

    private int admittedIn(int millis) {
        int admitted = 0;
        for (int i = 0; i < millis; i += 10) {
            admitted += gates.allows("acme") ? 1 : 0;
            gates.forward(10);
        }
        return admitted;
    }

    @Test
    void admits_aThirdOfTheRateWhenColdAndTheWholeWhenWarm() {
        gates.policies(warming("'warmUp':'20s'")).fresh();

        assertThat(admittedIn(1000)).isBetween(3, 5);
        admittedIn(25_000);
        assertThat(admittedIn(1000)).isBetween(9, 10);
    }

    @Test
    void warmUpAddedAndRemoved_startsALimiterOfItsKind() {
        gates.policies(warming("'shadow':false")).fresh();
        assertThat(gates.allows("acme")).isTrue();
        gates.policies(warming("'warmUp':'20s'"));
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.allows("acme")).isFalse();
        gates.policies(warming("'shadow':false"));
        gates.forward(1000);
        assertThat(gates.allows("acme")).isTrue();
        gates.policies(warming("'shadow':true,'warmUp':'20s'"));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void quota_isThatOfTheBurst() {
        gates.policies(warming("'warmUp':'20s'").replace("\"burst\":1", "\"burst\":20"))
                .fresh();

        assertThat(gates.check("acme").quota())
                .extracting(Quota::limit, Quota::windowSeconds)
                .containsExactly(20L, 2L);
    }

    @Test
    void idleLimiters_areRemoved() {
        gates.policies(warming("'warmUp':'20s'")).fresh();
        gates.allows("acme");
        assertThat(gates.decisions.gates()).isEqualTo(1);
        gates.forward(25_000);
        gates.decisions.tidy(gates.now());
        assertThat(gates.decisions.gates()).isZero();
    }
}
