package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callers that an attacker invents: {@code -Dsluice.flood=10000000} for ten million of them, against the half million gates
 * that an agent has unless told otherwise.
 */
final class FloodTest {
    private static final int INVENTED = Integer.getInteger("sluice.flood", 200_000);
    private static final int CAP = INVENTED / 20;

    private final GateHarness gates = new GateHarness(true, CAP).fresh();

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void invent(int from, int to) {
        for (int i = from; i < to; i++) {
            gates.check(Request.of("invented-" + i).build());
            if (i % (CAP / 4) == 0) {
                gates.forward(1);
                gates.decisions.sweep(gates.now());
            }
        }
    }

    static Stream<EveryAlgorithm> algorithms() {
        return Arrays.stream(EveryAlgorithm.values()).limit(Seeds.of(2, 6));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("algorithms")
    void inventedCallersNeitherGrowMemoryNorStartAKnownCallerAnew(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans"));
        List<Verdict> known = new ArrayList<>();
        known.add(gates.check("known"));
        known.add(gates.check("known"));
        assertThat(known).allMatch(Verdict::allowed);

        invent(0, 2 * CAP);
        assertThat(gates.decisions.gates()).isEqualTo(CAP);
        long full = heap();
        invent(2 * CAP, INVENTED);

        assertThat(gates.decisions.gates()).isEqualTo(CAP);
        assertThat(heap() - full).as("bytes more").isLessThan(4_000_000);
        assertThat(gates.asked("known")).isEqualTo("LIMITED by plans");
        known.forEach(Verdict::close);
        gates.forward(2 * algorithm.idleAfterMillis);
        assertThat(gates.allows("known")).isTrue();
    }

    @Test
    void theRoomComesBackWhenTheyAreGone() {
        gates.policies(EveryAlgorithm.TOKEN_BUCKET.policy("plans"));
        invent(0, 2 * CAP);
        gates.forward(EveryAlgorithm.TOKEN_BUCKET.idleAfterMillis);
        gates.decisions.sweep(gates.now());
        assertThat(gates.decisions.gates()).isZero();
    }
}
