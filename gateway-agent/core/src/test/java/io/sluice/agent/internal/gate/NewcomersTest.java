package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The first requests of a caller. */
final class NewcomersTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static boolean allows(GateHarness gates, String caller, long now) {
        Verdict verdict = gates.gatekeeper.check(Request.of(caller).build(), now);
        verdict.close();
        return verdict.allowed();
    }

    @ParameterizedTest
    @EnumSource
    void clockReadJustBeforeASweep_newcomer_isAllowed(EveryAlgorithm algorithm) {
        GateHarness gates = new GateHarness().fresh().policies(algorithm.policy("plans"));
        gates.forward(100_000);
        long now = gates.now();
        gates.forward(900);
        gates.decisions.tidy(gates.now());
        assertThat(allows(gates, "newcomer", now)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void clockReadJustBeforeASweep_callerWithoutRoom_isAllowed(EveryAlgorithm algorithm) {
        GateHarness gates = new GateHarness(true, 1).fresh().policies(algorithm.policy("plans"));
        gates.forward(100_000);
        gates.check("known");
        long now = gates.now();
        gates.forward(900);
        gates.decisions.tidy(gates.now());
        assertThat(allows(gates, "newcomer", now)).isTrue();
    }

    /**
     * Two threads bring a newcomer's first requests at once, after the shared limiter has been idle for long. (A bucket
     * of two holds the late one to its own time, at which the other's permit is not back yet.)
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TOKEN_BUCKET", "LEAKY_BUCKET"})
    void firstTwoRequestsOutOfOrder_newcomer_bothAreAllowed(EveryAlgorithm algorithm) {
        GateHarness gates = new GateHarness(true, 1).fresh().policies(algorithm.policy("plans"));
        Verdict known = gates.check("known");
        allows(gates, "shared", gates.now());
        known.close();
        gates.forward(2 * algorithm.idleAfterMillis + 10_000);
        gates.decisions.tidy(gates.now());
        gates.forward(5_000);
        assertThat(allows(gates, "newcomer", gates.now())).isTrue();
        assertThat(gates.decisions.gates()).isEqualTo(1);
        assertThat(allows(gates, "newcomer", gates.now() - 1_000_000)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"'caller'", "'caller,route'"})
    void tableWithoutRoom_unknownCallers_costNoAllocation(String per) {
        GateHarness gates = new GateHarness(true, 1)
                .fresh()
                .policies("{\"name\":\"plans\",\"per\":[\"" + per.replace(",", "\",\"")
                        + "\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}");
        gates.check(Request.of("known").route("/a").build());
        Request unknown = Request.of("unknown").route("/a").build();
        gates.check(unknown);
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < 50_000; i++) {
                gates.gatekeeper.check(unknown, gates.now());
            }
            long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (after - before) / 50_000.0);
        }
        assertThat(gates.check(unknown).allowed()).isFalse();
        assertThat(gates.decisions.gates()).isEqualTo(1);
        assertThat(least).isLessThan(0.01);
    }
}
