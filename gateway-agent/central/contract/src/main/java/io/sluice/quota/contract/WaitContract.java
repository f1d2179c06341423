package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wait of a refused request is the time after which it succeeds, if no other caller takes the permits. */
interface WaitContract extends ContractFixture {
    /** Nanoseconds by which a wait may be longer than needed. */
    long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(20);

    @Tag("full")
    @ParameterizedTest
    @MethodSource("algorithms")
    default void wait_isLongEnough_andNotLonger(Algorithm algorithm) {
        QuotaStrategy client = connect();
        long perMillis = 400;
        while (!check(client, Limits.of(algorithm, 5, perMillis), Limits.subject("wait"))) {
            perMillis *= 2;
        }
    }

    /** Returns whether it could check: false where permits return as fast as this machine takes them. */
    private static boolean check(QuotaStrategy client, QuotaLimit limit, String subject) {
        for (int permits = 1; permits <= 3; permits++) {
            if (!check(client, limit, subject, permits)) {
                return false;
            }
        }
        return true;
    }

    private static boolean check(QuotaStrategy client, QuotaLimit limit, String subject, long permits) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limit.perMillis());
        long asked = System.nanoTime();
        QuotaAnswer refused = Asked.acquire(client, limit, subject, permits);
        while (refused.granted()) {
            asked = System.nanoTime();
            if (asked - end >= 0) {
                return false;
            }
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
        return true;
    }
}
