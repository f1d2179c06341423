package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.Mode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a check allocates once the compiler has seen it often enough. */
@Tag("compiled")
final class GateAllocationTest {
    private static final String LOCK = "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    private static final String PAIR =
            "{\"name\":\"pair\",\"per\":[\"caller\",\"route\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    private static final String LIMIT =
            "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"100000/s\",\"burst\":1000}}";
    private static final String HOURLY =
            "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}";
    private static final int CHECKS = 100_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static double bytesPerCheck(GateHarness gates, String caller) {
        Request request = Request.of(caller).service("orders").route("/a").build();
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < CHECKS; i++) {
                gates.gatekeeper.check(request, gates.now());
            }
            long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (double) (after - before) / CHECKS);
        }
        return least;
    }

    @Test
    void aCallerThatNoLockKnowsCostsNothing() {
        GateHarness gates = new GateHarness().policies(LOCK, PAIR).fresh();
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(bytesPerCheck(gates, "bolt")).isLessThan(0.01);
    }

    @Test
    void aLockedCallerCostsNothing() {
        GateHarness gates = new GateHarness().policies(LOCK, PAIR).fresh();
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(bytesPerCheck(gates, "acme")).isLessThan(0.01);
    }

    @Test
    void aCallerThatTheLimitTurnsAwayCostsNothing() {
        GateHarness gates = new GateHarness().policies(HOURLY).fresh();
        assertThat(bytesPerCheck(gates, "acme")).isLessThan(0.01);
        assertThat(gates.check("acme").allowed()).isFalse();
    }

    @Test
    void aLimitedCallerThatPassesCostsNothing() {
        GateHarness gates = new GateHarness().policies(LIMIT).fresh();
        Request request = Request.of("acme").build();
        long[] now = {gates.now()};
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < CHECKS; i++) {
                now[0] += 10_000;
                assertAllowed(gates.gatekeeper.check(request, now[0]).allowed());
            }
            long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (double) (after - before) / CHECKS);
        }
        assertThat(least).isLessThan(0.01);
    }

    /** Of the algorithms beside the token bucket; the figures are in docs/limiters.md. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "sliding-log, 'rate':'1000/5ms', 0.1",
                "sliding-window, 'rate':'1000/5ms', 0.1",
                "fixed-window, 'rate':'1000/5ms', 0.1",
                "leaky-bucket, 'rate':'100000/s', 0.1",
                "concurrency, 'max':2, 80"
            })
    void anAlgorithmCostsWhatTheDocsSay(String algorithm, String rest, double bytes) {
        GateHarness gates = new GateHarness()
                .policies(("{'name':'plans','per':['caller'],'limit':{'algorithm':'" + algorithm + "'," + rest + "}}")
                        .replace('\'', '"'))
                .fresh();
        Request request = Request.of("acme").build();
        long now = gates.now();
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < CHECKS; i++) {
                now += 10_100;
                Verdict verdict = gates.gatekeeper.check(request, now);
                assertAllowed(verdict.allowed());
                verdict.close();
            }
            long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (double) (after - before) / CHECKS);
        }
        assertThat(least).isLessThanOrEqualTo(bytes);
    }

    @Test
    void aLimitOfCostCostsWhatTheDocsSay() {
        GateHarness gates = new GateHarness()
                .policies("{'name':'tokens','per':['caller'],'measure':'cost','limit':{'rate':'1000/s','burst':1000}}"
                        .replace('\'', '"'))
                .fresh();
        Request request = Request.of("acme").build();
        Verdict[] kept = new Verdict[1];
        long now = gates.now();
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < CHECKS; i++) {
                now += 10_000_000;
                kept[0] = gates.gatekeeper.check(request, null, 10, now);
                assertAllowed(kept[0].allowed());
                kept[0].settle(5);
            }
            long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (double) (after - before) / CHECKS);
        }
        assertThat(least).isLessThanOrEqualTo(112);
    }

    private static void assertAllowed(boolean allowed) {
        if (!allowed) {
            throw new AssertionError("the limit is to be wide enough for this test");
        }
    }
}
