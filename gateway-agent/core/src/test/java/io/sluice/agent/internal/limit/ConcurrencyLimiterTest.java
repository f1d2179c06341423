package io.sluice.agent.internal.limit;

import static io.sluice.agent.internal.limit.Kind.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.verdict.Completion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ConcurrencyLimiterTest {
    private static final ConcurrencyRange THREE = ConcurrencyRange.fixed(3);
    private static final ConcurrencyRange RANGE = new ConcurrencyRange(4, 100, SECOND);

    private final ConcurrencyLimiter limiter = new ConcurrencyLimiter(0);

    /** Takes all there is and ends all of it so. */
    private int round(long now, Completion how) {
        int taken = 0;
        while (limiter.take(RANGE, now) >= 0) {
            taken++;
        }
        for (int i = 0; i < taken; i++) {
            limiter.end(RANGE, 1, now, 0, now + 1, how);
        }
        return taken;
    }

    @Test
    void aClosedPermitCanBeTakenAgain() {
        limiter.take(THREE, 3, 0);
        assertThat(limiter.take(THREE, 5)).isEqualTo(-SECOND);
        new ConcurrencyPermit(limiter, THREE, 0, () -> 5).close();
        assertThat(limiter.take(THREE, 5)).isZero();
    }

    @Test
    void closingAPermitAgainIsHarmless() {
        limiter.take(THREE, 2, 0);
        ConcurrencyPermit permit = new ConcurrencyPermit(limiter, THREE, 0, () -> 5);
        permit.close();
        permit.close();
        permit.close(Completion.OVERLOADED);
        assertThat(limiter.inFlight()).isEqualTo(1);
    }

    @Test
    void ofManyThreadsThatCloseAPermitOneDoes() throws InterruptedException {
        limiter.take(THREE, 3, 0);
        ConcurrencyPermit permit = new ConcurrencyPermit(limiter, THREE, 0, () -> 5);
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                permit.close();
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(limiter.inFlight()).isEqualTo(2);
    }

    @Test
    void whatWasNotTakenCantBeEnded() {
        assertThatThrownBy(() -> limiter.end(THREE, 1, 0, 0, 0, Completion.SUCCESS))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLimitStartsAtItsLeastAndGrowsByAboutOneARound() {
        assertThat(round(0, Completion.SUCCESS)).isEqualTo(4);
        for (int i = 1; i < 20; i++) {
            round(i, Completion.SUCCESS);
        }
        // additive: twenty rounds of which the second half of each does not count
        assertThat(limiter.limit(RANGE)).isBetween(10, 25);
        for (int i = 20; i < 1000; i++) {
            round(i, Completion.SUCCESS);
        }
        assertThat(limiter.limit(RANGE)).isEqualTo(100);
        assertThat(round(1001, Completion.IGNORED)).isEqualTo(100);
    }

    @Test
    void aJamIsOneDecreaseAndANewOneAnother() {
        for (int i = 0; i < 1000; i++) {
            round(i, Completion.SUCCESS);
        }
        round(2000, Completion.OVERLOADED);
        assertThat(limiter.limit(RANGE)).isEqualTo(90);
        round(2002, Completion.OVERLOADED);
        assertThat(limiter.limit(RANGE)).isEqualTo(81);
    }

    @Test
    void aSlowAnswerIsASignOfOverload() {
        for (int i = 0; i < 1000; i++) {
            round(i, Completion.SUCCESS);
        }
        limiter.take(RANGE, 2000);
        limiter.end(RANGE, 1, 2000, 0, 2000 + SECOND - 1, Completion.SUCCESS);
        assertThat(limiter.limit(RANGE)).isEqualTo(100);
        limiter.take(RANGE, 2000);
        limiter.end(RANGE, 1, 2000, 0, 2000 + SECOND, Completion.SUCCESS);
        assertThat(limiter.limit(RANGE)).isEqualTo(90);
    }

    @Test
    void whoUsesLittleDoesNotRaiseTheLimit() {
        for (int i = 0; i < 1000; i++) {
            limiter.take(RANGE, i);
            limiter.end(RANGE, 1, i, 0, i + 1, Completion.SUCCESS);
        }
        assertThat(limiter.limit(RANGE)).isEqualTo(4);
    }

    @Test
    void theLimitStaysBetweenItsBoundsWhateverHappens() {
        Random random = new Random(1);
        List<Long> open = new ArrayList<>();
        Completion[] ends = Completion.values();
        for (long now = 0; now < 200_000; now++) {
            if (random.nextBoolean() && limiter.take(RANGE, now) >= 0) {
                open.add(now);
            } else if (!open.isEmpty()) {
                boolean jam = now / 20_000 % 2 == 1;
                limiter.end(
                        RANGE,
                        1,
                        open.remove(open.size() - 1),
                        0,
                        now,
                        jam ? ends[random.nextInt(3)] : Completion.SUCCESS);
            }
            assertThat(limiter.limit(RANGE)).isBetween(4, 100);
            assertThat(limiter.inFlight()).isEqualTo(open.size()).isLessThanOrEqualTo(100);
        }
    }

    @Test
    void aChangedLimitHoldsAtOnceForWhatIsInFlight() {
        limiter.take(THREE, 3, 0);
        ConcurrencyRange five = ConcurrencyRange.fixed(5);
        assertThat(limiter.take(five, 2, 0)).isZero();
        assertThat(limiter.take(THREE, 1, 0)).isNegative();
        limiter.end(five, 3, 0, 0, 0, Completion.SUCCESS);
        assertThat(limiter.take(THREE, 1, 0)).isZero();
    }

    @Test
    void whatWasLearnedIsKeptForAMinute() {
        round(0, Completion.SUCCESS);
        assertThat(limiter.removeIfIdle(60 * SECOND)).isFalse();
        assertThat(limiter.removeIfIdle(60 * SECOND + 1)).isTrue();
    }
}
