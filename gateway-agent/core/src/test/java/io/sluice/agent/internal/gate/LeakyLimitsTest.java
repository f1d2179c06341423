package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Verdict;
import org.junit.jupiter.api.Test;

/** Limits that pace: a check says how long to wait, and never waits. */
final class LeakyLimitsTest {
    private static final long MS = 1_000_000;

    private static String limit(String name, String rate, String maxWait) {
        return ("{'name':'" + name + "','per':['caller'],'limit':{'algorithm':'leaky-bucket','rate':'" + rate
                        + "','maxWait':'" + maxWait + "'}}")
                .replace('\'', '"');
    }

    private final GateHarness gates = new GateHarness().fresh();

    @Test
    void turnsAreAnIntervalApart() {
        gates.policies(limit("pace", "10/s", "200ms"));
        assertThat(gates.check("acme").delayNanos()).isZero();
        assertThat(gates.check("acme").delayNanos()).isEqualTo(100 * MS);
        assertThat(gates.check("acme").delayNanos()).isEqualTo(200 * MS);
    }

    @Test
    void whoWouldWaitTooLongIsTurnedAwayUntilATurnIsFree() {
        gates.policies(limit("pace", "10/s", "100ms"));
        gates.check("acme");
        gates.check("acme");
        assertThat(gates.check("acme"))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        rejected -> assertThat(rejected.retryAfterMillis()).isEqualTo(100));
    }

    @Test
    void withoutAWaitItSpacesOnly() {
        gates.policies(limit("pace", "10/s", "0ms"));
        assertThat(gates.check("acme").delayNanos()).isZero();
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(100);
        assertThat(gates.check("acme").delayNanos()).isZero();
    }

    @Test
    void ofTwoTurnsTheLaterOneIsTold() {
        gates.policies(limit("slow", "10/s", "1s"), limit("fast", "100/s", "1s"));
        gates.check("acme");
        assertThat(gates.check("acme").delayNanos()).isEqualTo(100 * MS);
    }

    @Test
    void aRejectionDelaysNobody() {
        gates.policies(limit("pace", "10/s", "100ms"));
        gates.check("acme");
        gates.check("acme");
        assertThat(gates.check("acme").delayNanos()).isZero();
    }
}
