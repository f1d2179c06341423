package io.sluice.agent.internal.gate;

import static io.sluice.agent.internal.gate.GateLocks.NOISY;
import static io.sluice.agent.internal.gate.GateLocks.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks while the analyzer is away: {@code onDegraded}, of policies and of their overrides. */
final class DegradedLocksTest {
    private final GateHarness gates = new GateHarness().policies(NOISY).fresh();

    @Test
    void locksRunToTheirEndWhileStale() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(50_000);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aPolicyThatAllowsWhenDegradedLetsItsLockedCallersPassWhileStale() {
        gates.policies(policy("noisy", ",\"onDegraded\":\"allow\""));
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOperatorsLockHoldsEvenThen() {
        gates.policies(policy("noisy", ",\"onDegraded\":\"allow\""));
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"COLD", "STALE"})
    void aPolicyThatDeniesWhenDegradedRejectsWhatItWouldClose(Freshness freshness) {
        String deny = "{\"name\":\"strict\",\"per\":[\"caller\"],\"match\":{\"caller\":\"a*\"},"
                + "\"lock\":{\"when\":[{\"above\":10}],\"onDegraded\":\"deny\"}}";
        GateHarness degraded = new GateHarness().policies(deny);
        if (freshness == Freshness.STALE) {
            degraded.stale();
        }
        assertThat(degraded.decisions.freshness()).isEqualTo(freshness);
        assertThat(degraded.asked("acme")).isEqualTo("LOCKED by strict");
        assertThat(degraded.asked("bolt")).isEqualTo("allowed");
        assertThat(new GateHarness().policies(deny).fresh().asked("acme")).isEqualTo("allowed");
    }

    private static final String OVERRIDDEN = "{\"name\":\"noisy\",\"per\":[\"caller\"],"
            + "\"lock\":{\"when\":[{\"above\":10}]%s},"
            + "\"overrides\":[{\"match\":{\"caller\":\"a*\"},\"lock\":{%s}}]}";

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "'',                            \"onDegraded\":\"allow\", allowed,         LOCKED by noisy",
                "`,\"onDegraded\":\"allow\"`, \"onDegraded\":\"local\", LOCKED by noisy, allowed"
            })
    void anOverrideDecidesWhetherLocksHoldWhileStale(String own, String override, String acme, String bolt) {
        gates.policies(OVERRIDDEN.formatted(own.replace("'", ""), override));
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.lock("noisy", "bolt", Mode.BLOCK);
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.asked("acme")).isEqualTo(acme);
        assertThat(gates.asked("bolt")).isEqualTo(bolt);
    }

    @ParameterizedTest
    @EnumSource(names = {"COLD", "STALE"})
    void anOverrideDecidesWhetherAPolicyDeniesWhenDegraded(Freshness freshness) {
        GateHarness degraded = new GateHarness().policies(OVERRIDDEN.formatted("", "\"onDegraded\":\"deny\""));
        if (freshness == Freshness.STALE) {
            degraded.stale();
        }
        assertThat(degraded.asked("acme")).isEqualTo("LOCKED by noisy");
        assertThat(degraded.asked("bolt")).isEqualTo("allowed");
        degraded.policies(OVERRIDDEN.formatted(",\"onDegraded\":\"deny\"", "\"shadow\":true"));
        assertThat(degraded.asked("acme")).isEqualTo("allowed");
        assertThat(degraded.wouldReject("noisy")).isEqualTo(1);
        assertThat(degraded.asked("bolt")).isEqualTo("LOCKED by noisy");
    }

    @ParameterizedTest
    @EnumSource(names = {"COLD", "STALE"})
    void aPolicyThatDeniesWhenDegradedDoesNotConcernRequestsWithoutASubject(Freshness freshness) {
        GateHarness degraded = new GateHarness()
                .policies(NOISY.replace("\"caller\"", "\"labels.tenant\"")
                        .replace("[{\"above\":10}]", "[{\"above\":10}],\"onDegraded\":\"deny\""));
        if (freshness == Freshness.STALE) {
            degraded.stale();
        }
        Request tenant =
                Request.of("acme").service("orders").label("tenant", "t1").build();
        assertThat(degraded.check(tenant).allowed()).isFalse();
        assertThat(degraded.asked("acme")).isEqualTo("allowed");
    }
}
