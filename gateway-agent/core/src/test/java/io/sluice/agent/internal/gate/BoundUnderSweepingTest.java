package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bound of every single caller, while gates are forgotten, made anew, and taken out of the shared one. */
@Tag(Seeds.TAG)
final class BoundUnderSweepingTest {
    private static final int THREADS = 4;
    private static final int CALLERS = 12;
    private static final int CHECKS = Seeds.of(40_000, 150_000);

    @ParameterizedTest
    @CsvSource({"1, 1000000, 5000", "2, 6, 5000", "3, 3, 300", "4, 1, 300", "5, 11, 5000", "6, 2, 1000"})
    void noCallerIsEverGivenMoreThanBurstAndRate(long seed, int cap, int perSecond) throws InterruptedException {
        Request[] requests = new Request[CALLERS];
        Arrays.setAll(requests, i -> Request.of("c" + i).build());
        hold(seed, cap, new int[] {perSecond}, requests);
    }

    @ParameterizedTest
    @CsvSource({"1, 1000000, 5000", "2, 3, 5000", "3, 2, 300", "4, 1, 300"})
    void alternatingLimits_ofEveryCaller_areHeldEachOnItsOwn(long seed, int cap, int perSecond)
            throws InterruptedException {
        Request[] requests = new Request[CALLERS];
        Arrays.setAll(
                requests,
                i -> Request.of("c" + i / 2).method(i % 2 == 0 ? "GET" : "POST").build());
        hold(seed, cap, new int[] {perSecond, perSecond / 7}, requests);
    }

    /** @param perSecond the rates of the policy's limit and of that on POST, which hold for the requests in turn */
    private static void hold(long seed, int cap, int[] perSecond, Request[] requests) throws InterruptedException {
        long origin = System.nanoTime();
        LongSupplier ticks = () -> System.nanoTime() - origin;
        DecisionState decisions =
                new DecisionState(new DecisionState.Settings("a", "orders", true, 600_000, 5_000, cap));
        decisions.policies(GateHarness.set("{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],"
                + "\"limit\":{\"rate\":\"" + perSecond[0] + "/s\",\"burst\":3},\"overrides\":["
                + "{\"match\":{\"method\":\"POST\"},\"limit\":{\"rate\":\"" + perSecond[perSecond.length - 1]
                + "/s\"}}]}]}"));
        Gatekeeper gatekeeper = new Gatekeeper(decisions, ticks);

        List<List<List<Long>>> admitted = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            List<List<Long>> mine = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                mine.add(new ArrayList<>());
            }
            admitted.add(mine);
            Random random = new Random(seed * 31 + t);
            threads.add(new Thread(() -> {
                int caller = 0;
                for (int i = 0; i < CHECKS; i++) {
                    // bursts of one caller, so that threads meet at its gate, and pauses of the others
                    caller = random.nextInt(8) == 0 ? random.nextInt(CALLERS) : caller;
                    long now = ticks.getAsLong();
                    if (gatekeeper.check(requests[caller], now).allowed()) {
                        mine.get(caller).add(now);
                    }
                }
            }));
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread sweeper = new Thread(() -> {
            while (!done.get()) {
                decisions.sweep(ticks.getAsLong());
            }
        });
        sweeper.start();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        done.set(true);
        sweeper.join();

        for (int caller = 0; caller < CALLERS; caller++) {
            int c = caller;
            TokenRate rate = TokenRate.of(perSecond[c % perSecond.length], 1_000_000_000, 3);
            long[] times = admitted.stream()
                    .flatMap(it -> it.get(c).stream())
                    .mapToLong(it -> it)
                    .sorted()
                    .toArray();
            long fullAt = 0;
            for (long time : times) {
                fullAt = Math.max(fullAt, time) + rate.interval();
                assertThat(fullAt - time).as("caller %d", c).isLessThanOrEqualTo(rate.tolerance());
            }
        }
        assertThat(admitted.stream().flatMap(List::stream).mapToInt(List::size).sum())
                .isGreaterThan(CALLERS);
        assertThat(decisions.gates()).isLessThanOrEqualTo(cap);
    }
}
