package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of a log, of turns and of what is in flight, while gates are forgotten, made anew, and taken out of the shared one. */
final class BoundsWithoutRoomTest {
    private static final int THREADS = 4;
    private static final int CALLERS = 6;
    private static final int CHECKS = 30_000;
    private static final int PERMITS = 10_000;
    private static final long MS = 1_000_000;

    private final long origin = System.nanoTime();

    private long now() {
        return System.nanoTime() - origin;
    }

    private DecisionState decisions(String limit, int cap) {
        DecisionState decisions =
                new DecisionState(new DecisionState.Settings("a", "orders", true, 600_000, 5_000, cap));
        decisions.policies(GateHarness.set(
                ("{'policies':[{'name':'p','per':['caller'],'limit':{" + limit + "}}]}").replace('\'', '"')));
        return decisions;
    }

    /** Checks from several threads, with bursts of one caller and pauses of the others, while another forgets gates. */
    private void hammer(DecisionState decisions, long seed, Patience patience, BiConsumer<Integer, Held> each)
            throws InterruptedException {
        Gatekeeper gatekeeper = new Gatekeeper(decisions, this::now);
        Request[] requests = new Request[CALLERS];
        Arrays.setAll(requests, i -> Request.of("c" + i).build());
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            Random random = new Random(seed * 31 + t);
            threads.add(new Thread(() -> {
                int caller = 0;
                int counted = 0;
                while (counted < patience.most) {
                    caller = random.nextInt(8) == 0 ? random.nextInt(CALLERS) : caller;
                    long now = now();
                    Verdict verdict = gatekeeper.check(requests[caller], now);
                    if (verdict.allowed()) {
                        each.accept(caller, new Held(verdict, now, random));
                    }
                    counted += verdict.allowed() || !patience.onlyPermits ? 1 : 0;
                    verdict.close();
                }
            }));
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread sweeper = new Thread(() -> {
            while (!done.get()) {
                decisions.sweep(now());
            }
        });
        sweeper.start();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        done.set(true);
        sweeper.join();
    }

    /** When a thread has asked enough: after so many checks, or after so many permits. */
    private record Patience(int most, boolean onlyPermits) {}

    private record Held(Verdict verdict, long now, Random random) {}

    @ParameterizedTest
    @CsvSource({"1, 1000000", "2, 3", "3, 2", "4, 1"})
    @Timeout(120) // a permit that is lost is waited for in vain
    void noCallerEverHasMoreInFlightThanItsLimit(long seed, int cap) throws InterruptedException {
        DecisionState decisions = decisions("'algorithm':'concurrency','max':2", cap);
        AtomicInteger[] inFlight = new AtomicInteger[CALLERS];
        Arrays.setAll(inFlight, i -> new AtomicInteger());
        AtomicInteger most = new AtomicInteger();
        AtomicInteger allowed = new AtomicInteger();
        // by permits: while two threads that hold all of them wait for a processor, the others may be turned away at
        // every check
        hammer(decisions, seed, new Patience(PERMITS, true), (caller, held) -> {
            most.accumulateAndGet(inFlight[caller].incrementAndGet(), Math::max);
            allowed.incrementAndGet();
            if (held.random.nextInt(4) == 0) {
                // in flight while others run
                for (int spin = 0; spin < 200; spin++) {
                    Thread.onSpinWait();
                }
            }
            inFlight[caller].decrementAndGet();
        });
        assertThat(most).hasValueLessThanOrEqualTo(2);
        assertThat(allowed).hasValue(THREADS * PERMITS);
        decisions.sweep(now());
        assertThat(decisions.gates()).as("gates with nothing in flight").isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 1000000", "2, 3", "3, 1"})
    void noCallerIsEverGivenMoreThanItsLogAllows(long seed, int cap) throws InterruptedException {
        DecisionState decisions = decisions("'algorithm':'sliding-log','rate':'3/1ms'", cap);
        for (long[] sorted : admitted(decisions, seed, 0)) {
            for (int i = 3; i < sorted.length; i++) {
                assertThat(sorted[i] - sorted[i - 3]).isGreaterThanOrEqualTo(MS);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1000000", "2, 3", "3, 1"})
    void turnsOfACallerAreNeverCloserThanTheInterval(long seed, int cap) throws InterruptedException {
        DecisionState decisions = decisions("'algorithm':'leaky-bucket','rate':'5000/s','maxWait':'1ms'", cap);
        for (long[] sorted : admitted(decisions, seed, 1)) {
            for (int i = 1; i < sorted.length; i++) {
                assertThat(sorted[i] - sorted[i - 1]).isGreaterThanOrEqualTo(MS / 5);
            }
        }
    }

    /** When each caller's requests were let in, sorted; with their delay. */
    private List<long[]> admitted(DecisionState decisions, long seed, int delays) throws InterruptedException {
        List<List<Long>> times = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            times.add(new ArrayList<>());
        }
        hammer(decisions, seed, new Patience(CHECKS, false), (caller, held) -> {
            List<Long> mine = times.get(caller);
            synchronized (mine) {
                mine.add(held.now + delays * held.verdict.delayNanos());
            }
        });
        assertThat(times.stream().mapToInt(List::size).sum()).isGreaterThan(CALLERS * 3);
        return times.stream()
                .map(it -> it.stream().mapToLong(time -> time).sorted().toArray())
                .toList();
    }
}
