package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.contract.lock.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A throttle has its bucket only after the first request for a permit. */
final class FirstThrottledTest {
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    // 4 a second over two agents
    private static final int BURST = 2;

    private static int allowed(GateHarness gates, String caller) {
        int allowed = 0;
        for (int i = 0; i < 5; i++) {
            allowed += gates.allows(caller) ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void eachThrottledCallerHasABucketOfItsOwnThoughThereIsNoRoomForGates() {
        GateHarness gates = new GateHarness(true, 1).policies(NOISY).fresh();
        gates.lock("noisy", "acme", Mode.THROTTLE);
        gates.lock("noisy", "bolt", Mode.THROTTLE);

        assertThat(allowed(gates, "acme")).isEqualTo(BURST);
        assertThat(allowed(gates, "bolt")).isEqualTo(BURST);
        assertThat(gates.decisions.gates()).isEqualTo(2);
    }

    @Test
    void aThrottleThatIsRenewedGivesNoSecondBurst() {
        GateHarness gates = new GateHarness().policies(NOISY).fresh();
        gates.lock("noisy", "acme", Mode.THROTTLE);
        gates.lock("noisy", "acme", Mode.THROTTLE);
        assertThat(allowed(gates, "acme")).isEqualTo(BURST);

        gates.lock("noisy", "acme", Mode.THROTTLE);
        assertThat(allowed(gates, "acme")).isZero();
    }

    @Test
    void threadsThatAskFirstAtOnceShareOneBucket() throws Exception {
        GateHarness gates = new GateHarness(true, 100_000).policies(NOISY).fresh();
        int threads = 4;
        int callers = 2_000;
        for (int i = 0; i < callers; i++) {
            gates.lock("noisy", "c" + i, Mode.THROTTLE);
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier together = new CyclicBarrier(threads);
            List<Future<int[]>> asked = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                asked.add(pool.submit(() -> {
                    int[] allowed = new int[callers];
                    for (int i = 0; i < callers; i++) {
                        Request request = Request.of("c" + i).build();
                        if (i % 50 == 0) {
                            together.await();
                        }
                        allowed[i] = gates.check(request).allowed() ? 1 : 0;
                    }
                    return allowed;
                }));
            }
            int[] sums = new int[callers];
            for (Future<int[]> each : asked) {
                int[] allowed = each.get();
                for (int i = 0; i < callers; i++) {
                    sums[i] += allowed[i];
                }
            }
            assertThat(sums).containsOnly(BURST);
        } finally {
            pool.shutdownNow();
        }
    }
}
