package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wait of a refused request is the time after which it succeeds, if no other caller takes the permits. */
interface WaitContract extends ContractFixture {
    /** Nanoseconds by which a wait may be longer than needed. */
    long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(20);

    @ParameterizedTest
    @MethodSource("algorithms")
    default void wait_isLongEnough_andNotLonger(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit limit = Limits.of(algorithm, 5, 400);
        String subject = Limits.subject("wait");
        for (int permits = 1; permits <= 3; permits++) {
            check(client, limit, subject, permits);
        }
    }

    private static void check(QuotaStrategy client, QuotaLimit limit, String subject, long permits) {
        long asked = System.nanoTime();
        QuotaAnswer refused = Asked.acquire(client, limit, subject, permits);
        while (refused.granted()) {
            asked = System.nanoTime();
            refused = Asked.acquire(client, limit, subject, permits);
        }
        long promised = System.nanoTime() + refused.retryAfterNanos();
        assertThat(refused.retryAfterNanos())
                .isBetween(1L, TimeUnit.MILLISECONDS.toNanos(limit.perMillis()) + TOLERANCE);
        // refused requests take nothing, and so delay nothing
        while (true) {
            long again = System.nanoTime();
            if (Asked.acquire(client, limit, subject, permits).granted()) {
                break;
            }
            assertThat(again - promised)
                    .as("nanoseconds after the promised time, and refused")
                    .isNegative();
        }
        assertThat(System.nanoTime() - asked)
                .as("nanoseconds until granted")
                .isGreaterThanOrEqualTo(refused.retryAfterNanos() - TOLERANCE);
    }
}
