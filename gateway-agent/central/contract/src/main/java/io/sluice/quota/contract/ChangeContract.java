package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A changed limit takes effect at the next request, and used permits stay used. */
interface ChangeContract extends ContractFixture {

    private static QuotaLimit bucket(long permits, long perMillis, long burst) {
        return new QuotaLimit("policy", "", Algorithm.TOKEN_BUCKET, permits, perMillis, burst);
    }

    @Test
    default void changedRate_keepsWhatIsMissing() {
        Assumptions.assumeTrue(algorithms().toList().contains(Algorithm.TOKEN_BUCKET), "it has no token bucket");
        QuotaStrategy client = connect();
        String subject = Limits.subject("rate");
        long day = TimeUnit.MILLISECONDS.toNanos(Limits.DAY);
        Asked.acquire(client, bucket(2, Limits.DAY, 10), subject, 10);

        QuotaAnswer faster = Asked.acquire(client, bucket(8, Limits.DAY, 10), subject, 2);
        QuotaAnswer slower = Asked.acquire(client, bucket(1, Limits.DAY, 10), subject, 1);
        QuotaAnswer larger = Asked.acquire(client, bucket(1, Limits.DAY, 15), subject, 5);

        assertThat(faster.retryAfterNanos()).isBetween(day / 5, day / 4 + 1_000);
        assertThat(slower.retryAfterNanos()).isBetween(day * 9 / 10, day + 1_000);
        assertThat(larger.granted()).isTrue();
        assertThat(Asked.takeAll(client, bucket(1, Limits.DAY, 15), subject, 5)).isZero();
    }

    @Test
    default void raisedRate_givesBackAtThatRate_toThoseWhoWereRefused() {
        Assumptions.assumeTrue(algorithms().toList().contains(Algorithm.TOKEN_BUCKET), "it has no token bucket");
        QuotaStrategy client = connect();
        String subject = Limits.subject("raised");
        Asked.acquire(client, bucket(1, Limits.DAY, 10), subject, 10);
        QuotaLimit raised = bucket(5, 1_000, 10);

        long wait = Asked.acquire(client, raised, subject, 2).retryAfterNanos();
        assertThat(wait).isBetween(1L, TimeUnit.MILLISECONDS.toNanos(401));
        Limits.park(System.nanoTime() + wait);

        assertThat(Asked.acquire(client, raised, subject, 2).granted()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void changedNumber_keepsWhatIsUsed(Algorithm algorithm) {
        QuotaStrategy client = connect();
        String subject = Limits.subject("number");
        Asked.acquire(client, Limits.daily(algorithm, 10), subject, 8);

        assertThat(Asked.takeAll(client, Limits.daily(algorithm, 12), subject, 20))
                .isEqualTo(4);
        assertThat(Asked.acquire(client, Limits.daily(algorithm, 11), subject, 1)
                        .granted())
                .isFalse();
    }

    @Test
    default void changedLength_movesTheEndOfAFixedWindow() {
        Assumptions.assumeTrue(algorithms().toList().contains(Algorithm.FIXED_WINDOW), "it has no fixed window");
        QuotaStrategy client = connect();
        String longer = Limits.subject("longer");
        String shorter = Limits.subject("shorter");
        QuotaLimit daily = Limits.daily(Algorithm.FIXED_WINDOW, 10);
        QuotaLimit second = Limits.of(Algorithm.FIXED_WINDOW, 10, 1_000);
        long week = 7 * Limits.DAY;
        Asked.acquire(client, daily, longer, 10);
        Asked.acquire(client, daily, shorter, 10);

        long far = Asked.acquire(client, Limits.of(Algorithm.FIXED_WINDOW, 10, week), longer, 1)
                .retryAfterNanos();
        long wait = Asked.acquire(client, second, shorter, 1).retryAfterNanos();

        assertThat(TimeUnit.NANOSECONDS.toDays(far)).isEqualTo((week - System.currentTimeMillis() % week) / Limits.DAY);
        assertThat(wait).isBetween(1L, TimeUnit.MILLISECONDS.toNanos(1_001));
        Limits.park(System.nanoTime() + wait);
        assertThat(Asked.acquire(client, second, shorter, 1).granted()).isTrue();
    }
}
