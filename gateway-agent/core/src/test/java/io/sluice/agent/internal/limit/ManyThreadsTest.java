package io.sluice.agent.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Completion;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real threads on one limiter, with the times that they read themselves. */
@Tag(Seeds.TAG)
final class ManyThreadsTest {
    private static final int THREADS = 6;
    private static final int ROUNDS = 20_000;

    /** What all threads together took at the times of a clock that runs {@code speed} times as fast as the real one. */
    private static long[] taken(Kind kind, int speed) throws Exception {
        Kind.Trial<LimiterConfig> trial = kind.since(0);
        long origin = System.nanoTime();
        long[][] times = new long[THREADS][];
        run(thread -> {
            long[] mine = new long[100_000];
            int count = 0;
            for (int i = 0; i < 100_000; i++) {
                long now = (System.nanoTime() - origin) * speed;
                long answer = trial.take(1, now);
                // a thread that was held up for longer than a slice may have taken at any time in between
                boolean punctual = (System.nanoTime() - origin) * speed - now < Kind.SECOND / 10;
                if (answer >= 0 && punctual) {
                    mine[count++] = kind == Kind.LEAKY_BUCKET ? now + answer : now;
                }
            }
            times[thread] = Arrays.copyOf(mine, count);
        });
        return Arrays.stream(times).flatMapToLong(Arrays::stream).sorted().toArray();
    }

    private static void run(IntConsumer work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        AtomicInteger failed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int mine = t;
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    work.accept(mine);
                } catch (Exception e) {
                    failed.incrementAndGet();
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failed).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "SLIDING_LOG", "SLIDING_WINDOW", "LEAKY_BUCKET"})
    void neverOver(Kind kind) throws Exception {
        for (int round = 0; round < Seeds.of(1, 5); round++) {
            kind.assertBound(taken(kind, 100));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONCURRENCY")
    void neverOverWhileTimeStandsStill(Kind kind) throws Exception {
        for (int round = 0; round < Seeds.of(15, 200); round++) {
            Kind.Trial<LimiterConfig> trial = kind.since(0);
            AtomicInteger taken = new AtomicInteger();
            run(thread -> taken.addAndGet(trial.takeAll(5)));
            assertThat(taken).as("round %d", round).hasValue(10);
        }
    }

    @Test
    void neverMoreInFlight() throws Exception {
        ConcurrencyLimiter limiter = new ConcurrencyLimiter(0);
        ConcurrencyRange range = ConcurrencyRange.fixed(3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        run(thread -> {
            for (int i = 0; i < ROUNDS; i++) {
                if (limiter.take(range, i) >= 0) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    limiter.end(range, 1, i, 0, i, Completion.SUCCESS);
                }
            }
        });
        assertThat(most).hasValueBetween(1, 3);
        assertThat(limiter.inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "SLIDING_LOG", "SLIDING_WINDOW", "FIXED_WINDOW"})
    void whatIsForgottenWhileOthersAskIsNeverGivenTwice(Kind kind) throws Exception {
        for (int round = 0; round < Seeds.of(20, 300); round++) {
            Kind.Trial<LimiterConfig> trial = kind.since(0);
            long now = 5 * Kind.SECOND;
            AtomicInteger taken = new AtomicInteger();
            AtomicInteger forgotten = new AtomicInteger();
            run(thread -> {
                if (thread > 0) {
                    taken.addAndGet(trial.takeAll(now));
                } else if (trial.limiter.removeIfIdle(now)) {
                    forgotten.set(1);
                }
            });
            // either no permit was given, or the gate was never removed
            assertThat(taken.get()).as("round %d", round).isEqualTo(forgotten.get() == 1 ? 0 : 10);
        }
    }
}
