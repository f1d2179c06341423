package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.contract.policy.LimitRule;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Removal of a gate while a thread uses its limiter. */
final class SubjectGateTest {
    private static final long MS = 1_000_000;
    private static final long NOW = 1_000 * MS;

    private static Limit limit(EveryAlgorithm algorithm) {
        LimitRule rule = GateHarness.set("{\"policies\":[" + algorithm.policy("plans") + "]}")
                .policies()
                .get(0)
                .limit();
        return Objects.requireNonNull(Limit.of("plans", Objects.requireNonNull(rule), LimiterSlots.SUBJECT, false));
    }

    private static SubjectGate gate(Limit limit) {
        SubjectGate gate = new SubjectGate(SubjectKey.ONLY, 0);
        if (!limit.fitsGate()) {
            gate.add(limit, limit.started(false, 0));
        }
        return gate;
    }

    private static Limiter<LimiterConfig> limiter(SubjectGate gate, Limit limit) {
        return Objects.requireNonNull(gate.limiter(limit));
    }

    @ParameterizedTest
    @EnumSource
    void aLimiterThatWasFoundBeforeItsGateWasForgottenSaysSo(EveryAlgorithm algorithm) {
        Limit limit = limit(algorithm);
        SubjectGate gate = gate(limit);
        Limiter<LimiterConfig> found = limiter(gate, limit);

        assertThat(gate.removeIdleLimiters(NOW)).isTrue();
        assertThat(found.take(limit.terms(), NOW)).isEqualTo(Limiter.REMOVED);
        assertThat(gate.removed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aGateWhoseLimiterWasTakenFromMeanwhileIsKeptWithIt(EveryAlgorithm algorithm) {
        Limit limit = limit(algorithm);
        SubjectGate gate = gate(limit);
        Limiter<LimiterConfig> found = limiter(gate, limit);
        boolean idle = gate.idle(NOW);
        found.take(limit.terms(), NOW);

        assertThat(idle).isTrue();
        assertThat(gate.idle(NOW)).isFalse();
        assertThat(gate.removeIdleLimiters(NOW)).isFalse();
        assertThat(gate.removed()).isFalse();
        assertThat(limiter(gate, limit)).isSameAs(found);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TOKEN_BUCKET")
    void anIdleLimiterIsForgottenThoughAnotherIsInUse(EveryAlgorithm algorithm) {
        Limit limit = limit(algorithm);
        Limit bucket = limit(EveryAlgorithm.TOKEN_BUCKET);
        SubjectGate gate = gate(limit);
        limiter(gate, bucket).take(bucket.terms(), NOW);

        assertThat(gate.removeIdleLimiters(NOW)).isFalse();
        assertThat(gate.limiter(limit)).isNull();
        assertThat(gate.removed()).isFalse();
    }
}
