package io.sluice.agent.internal.limit;

import static io.sluice.agent.internal.limit.Kind.MS;
import static io.sluice.agent.internal.limit.Kind.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SlidingLogLimiterTest {
    private static final long HOUR = 3600 * SECOND;
    private static final long DAY = 24 * HOUR;

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 3", "8, 1", "9, 2", "50, 4", "1000, 7"})
    void itAnswersAsAListOfAllTimesWould(int permits, int mostAtOnce) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            WindowRate rate = new WindowRate(permits, SECOND);
            SlidingLogLimiter log = new SlidingLogLimiter(0);
            Deque<Long> times = new ArrayDeque<>();
            long now = 0;
            for (int i = 0; i < 5_000; i++) {
                now += random.nextInt(50) == 0
                        ? random.nextInt(300_000_000) * 10L
                        : random.nextInt(2_000_000_000 / permits);
                while (!times.isEmpty() && times.getFirst() <= now - SECOND) {
                    times.removeFirst();
                }
                int asked = 1 + random.nextInt(Math.min(mostAtOnce, permits));
                long answer = log.take(rate, asked, now);
                if (times.size() + asked <= permits) {
                    assertThat(answer).isEqualTo(permits - times.size() - asked);
                    for (int p = 0; p < asked; p++) {
                        times.addLast(now);
                    }
                } else {
                    long leaves = new ArrayList<>(times).get(times.size() + asked - permits - 1) + SECOND;
                    assertThat(answer).isEqualTo(now - leaves);
                }
            }
        }
    }

    @Test
    void theWaitIsThatOfTheOldestPermit() {
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        WindowRate two = new WindowRate(2, SECOND);
        log.take(two, 100 * MS);
        log.take(two, 300 * MS);
        assertThat(log.take(two, 400 * MS)).isEqualTo(-700 * MS);
        assertThat(log.take(two, 2, 400 * MS)).isEqualTo(-900 * MS);
    }

    @Test
    void aCallerPaysForWhatItUsesAndNotForWhatItMay() {
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        WindowRate rate = new WindowRate(50_000, SECOND);
        for (int i = 0; i < 100_000; i++) {
            log.take(rate, 400 * MS * i);
        }
        assertThat(log.capacity()).isEqualTo(TimestampRing.SMALLEST);
    }

    @Test
    void theRingGrowsToTheLimitAndNoFurther() {
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        WindowRate rate = new WindowRate(50_000, SECOND);
        for (long i = 0; i < 500_000; i++) {
            log.take(rate, i * 10_000);
        }
        assertThat(log.capacity()).isEqualTo(65_536);
    }

    @Test
    void ring_chargedBeyondTheLimitAgainAndAgain_holdsTheNewestPermitsOnly() {
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        WindowRate rate = new WindowRate(1_000, HOUR);
        for (int i = 0; i < 200; i++) {
            assertThat(log.charge(rate, 300, i * SECOND)).isTrue();
            assertThat(log.capacity()).isLessThanOrEqualTo(1_024);
        }

        // the last 900 are of seconds 197 to 199, and those before them of 196
        assertThat(log.take(rate, 199 * SECOND)).isEqualTo(-(HOUR - 3 * SECOND));
        assertThat(log.take(rate, 101, 199 * SECOND)).isEqualTo(-(HOUR - 2 * SECOND));
        assertThat(log.charge(rate, Long.MAX_VALUE, 200 * SECOND)).isTrue();
        assertThat(log.capacity()).isEqualTo(1_024);
        assertThat(log.take(rate, 200 * SECOND)).isEqualTo(-HOUR);
    }

    @Test
    void ring_ofAWindowThatGotShorter_growsToTheLimitAndNoFurther() {
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        assertThat(log.take(new WindowRate(1_000, DAY), 0)).isNotNegative();
        WindowRate rate = new WindowRate(1_000, SECOND);
        for (long second = 1; second <= 20; second++) {
            for (int i = 0; i < 10; i++) {
                assertThat(log.take(rate, 100, second * SECOND)).isNotNegative();
                assertThat(log.capacity()).isLessThanOrEqualTo(1_024);
            }
        }
    }

    @Test
    void ring_ofALimitThatGotSmaller_keepsTheFormerOneUntilItsWindowIsOver() {
        WindowRate daily = new WindowRate(1_000, DAY);
        WindowRate small = new WindowRate(10, SECOND);
        for (boolean back : new boolean[] {true, false}) {
            SlidingLogLimiter log = new SlidingLogLimiter(0);
            log.take(daily, 1_000, 0);
            for (long hour = 1; hour <= 20; hour++) {
                assertThat(log.take(small, 2, hour * HOUR)).isEqualTo(8);
            }
            assertThat(log.capacity()).isEqualTo(1_024);
            assertThat(log.isIdle(24 * HOUR)).isFalse();
            if (back) {
                assertThat(log.take(daily, 20 * HOUR)).isEqualTo(-4 * HOUR);
                continue;
            }
            for (long hour = 21; hour <= 26; hour++) {
                assertThat(log.take(small, 2, hour * HOUR)).isEqualTo(8);
            }
            assertThat(log.capacity()).isEqualTo(TimestampRing.SMALLEST);
            assertThat(log.idleFrom()).isEqualTo(26 * HOUR + SECOND);
            assertThat(log.removeIfIdle(26 * HOUR + SECOND - 1)).isFalse();
            assertThat(log.removeIfIdle(26 * HOUR + SECOND)).isTrue();
        }
    }

    /** Two threads that both have read the head before either writes it. */
    @Test
    void theWellKnownRingGivesOnePermitTwice() throws InterruptedException {
        AtomicInteger arrived = new AtomicInteger();
        CountDownLatch both = new CountDownLatch(2);
        RecordingRing ring = new RecordingRing(2, SECOND, () -> {
            if (arrived.incrementAndGet() <= 2) {
                both.countDown();
                awaitUninterrupted(both);
            }
        });
        AtomicInteger taken = new AtomicInteger();
        Thread one = new Thread(() -> taken.addAndGet(ring.take(5) ? 1 : 0));
        Thread two = new Thread(() -> taken.addAndGet(ring.take(5) ? 1 : 0));
        one.start();
        two.start();
        one.join();
        two.join();
        while (ring.take(5)) {
            taken.incrementAndGet();
        }
        // both wrote place 0 and moved the head to 1: the ring has forgotten one of the two
        assertThat(taken).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9})
    void oursGivesNoneTwiceThoughThreadsMeetAtEveryPlace(int permits) throws Exception {
        WindowRate rate = new WindowRate(permits, SECOND);
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        int rounds = 20_000;
        AtomicInteger taken = new AtomicInteger();
        List<Integer> over = new ArrayList<>();
        AtomicInteger round = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(2, () -> {
            if (round.get() > 0 && taken.get() != permits) {
                over.add(taken.get());
            }
            taken.set(0);
            round.incrementAndGet();
        });
        Runnable work = () -> {
            try {
                for (int r = 0; r <= rounds; r++) {
                    barrier.await();
                    long now = r * SECOND;
                    while (log.take(rate, now) >= 0) {
                        taken.incrementAndGet();
                    }
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
        assertThat(over).isEmpty();
        assertThat(taken).hasValue(permits);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void severalThreadsTakingOneOrSeveralAreNeverOver(long seed) throws InterruptedException {
        WindowRate rate = new WindowRate(20, MS);
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        long origin = System.nanoTime();
        List<List<Long>> taken = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        AtomicInteger recorded = new AtomicInteger();
        for (int t = 0; t < 4; t++) {
            List<Long> mine = new ArrayList<>();
            taken.add(mine);
            Random random = new Random(seed * 10 + t);
            Thread thread = new Thread(() -> {
                while (recorded.get() < 500) {
                    int permits = random.nextInt(5) == 0 ? 1 + random.nextInt(3) : 1;
                    long now = System.nanoTime() - origin;
                    boolean given = log.take(rate, permits, now) >= 0;
                    // who was held up for longer may be held to a later time than its own, so there its own tells
                    // nothing
                    boolean late = System.nanoTime() - origin - now > MS / 8;
                    for (int p = 0; given && !late && p < permits; p++) {
                        mine.add(now);
                        recorded.incrementAndGet();
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] all = taken.stream()
                .flatMap(List::stream)
                .mapToLong(it -> it)
                .sorted()
                .toArray();
        long shortest = Long.MAX_VALUE;
        for (int i = 20; i < all.length; i++) {
            shortest = Math.min(shortest, all[i] - all[i - 20]);
        }
        assertThat(shortest).as("nanoseconds in which 21 permits were taken").isGreaterThanOrEqualTo(MS);
    }
}
