package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.Terms;
import io.sluice.contract.policy.LimitRule;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forgetting a gate while somebody has its limiter in hand. */
final class GateTest {
    private static final long MS = 1_000_000;
    private static final long NOW = 1_000 * MS;

    private static Limit limit(EveryAlgorithm algorithm) {
        LimitRule rule = Gates.set("{\"policies\":[" + algorithm.policy("plans") + "]}")
                .policies()
                .get(0)
                .limit();
        return Objects.requireNonNull(Limit.of("plans", Objects.requireNonNull(rule), LimiterSlots.SUBJECT));
    }

    private static Gate gate(Limit limit) {
        Gate gate = new Gate(SubjectKey.ONLY, 0);
        if (!limit.fitsGate()) {
            gate.add(limit, limit.started(false, 0));
        }
        return gate;
    }

    private static Limiter<Terms> limiter(Gate gate, Limit limit) {
        return Objects.requireNonNull(gate.limiter(limit));
    }

    @ParameterizedTest
    @EnumSource
    void aLimiterThatWasFoundBeforeItsGateWasForgottenSaysSo(EveryAlgorithm algorithm) {
        Limit limit = limit(algorithm);
        Gate gate = gate(limit);
        Limiter<Terms> found = limiter(gate, limit);

        assertThat(gate.forgetAllIfIdle(NOW)).isTrue();
        assertThat(found.take(limit.terms(), NOW)).isEqualTo(Limiter.FORGOTTEN);
        assertThat(gate.forgotten()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aGateWhoseLimiterWasTakenFromMeanwhileIsKeptWithIt(EveryAlgorithm algorithm) {
        Limit limit = limit(algorithm);
        Gate gate = gate(limit);
        Limiter<Terms> found = limiter(gate, limit);
        boolean idle = gate.idle(NOW);
        found.take(limit.terms(), NOW);

        assertThat(idle).isTrue();
        assertThat(gate.idle(NOW)).isFalse();
        assertThat(gate.forgetAllIfIdle(NOW)).isFalse();
        assertThat(gate.forgotten()).isFalse();
        assertThat(limiter(gate, limit)).isSameAs(found);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TOKEN_BUCKET")
    void anIdleLimiterIsForgottenThoughAnotherIsInUse(EveryAlgorithm algorithm) {
        Limit limit = limit(algorithm);
        Limit bucket = limit(EveryAlgorithm.TOKEN_BUCKET);
        Gate gate = gate(limit);
        limiter(gate, bucket).take(bucket.terms(), NOW);

        assertThat(gate.forgetAllIfIdle(NOW)).isFalse();
        assertThat(gate.limiter(limit)).isNull();
        assertThat(gate.forgotten()).isFalse();
    }
}
