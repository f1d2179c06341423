package io.sluice.agent.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import org.junit.jupiter.api.Test;

/** Corrected grants of a share of 10 permits, of which 5 return in a second. */
final class LocalGrantsTest {
    private static final long SECOND = 1_000_000_000;
    private static final QuotaLimit LIMIT = new QuotaLimit("p", "", Algorithm.TOKEN_BUCKET, 10, 1000, 20);
    private static final int AGENTS = 2;

    private final LocalGrants grants = new LocalGrants();

    private static QuotaCharge charge(long permits) {
        return new QuotaCharge(LIMIT, "a", "a", permits);
    }

    @Test
    void correct_beyondTheShare_isNotCutByLaterGrants() {
        long round = grants.add(charge(1), AGENTS, 0);
        assertThat(grants.correct(charge(99), AGENTS, 0, round)).isTrue();
        grants.add(charge(1), AGENTS, SECOND);

        assertThat(grants.drain(SECOND)).containsExactly(charge(95));
    }

    @Test
    void correct_returnsWhatIsMissingAtMost() {
        long round = grants.add(charge(10), AGENTS, 0);
        assertThat(grants.correct(charge(-8), AGENTS, SECOND, round)).isTrue();

        assertThat(grants.drain(SECOND)).isEmpty();
    }

    /** In a window nothing returns before its end. */
    @Test
    void drain_grantsOfAWindow_areOwedForAWindow() {
        QuotaLimit hourly = new QuotaLimit("p", "", Algorithm.FIXED_WINDOW, 10, 3_600_000, 10);
        QuotaCharge some = new QuotaCharge(hourly, "a", "a", 4);

        grants.add(some, AGENTS, 0);
        assertThat(grants.drain(3_599 * SECOND)).containsExactly(some);

        grants.add(some, AGENTS, 0);
        assertThat(grants.drain(7_200 * SECOND)).isEmpty();
    }

    @Test
    void drain_grantsOfManyWindows_areThoseOfTheLastOne() {
        QuotaLimit hourly = new QuotaLimit("p", "", Algorithm.SLIDING_LOG, 100, 3_600_000, 100);
        QuotaCharge one = new QuotaCharge(hourly, "a", "a", 1);

        for (int minute = 0; minute <= 600; minute += 10) {
            grants.add(one, AGENTS, minute * 60L * SECOND);
        }

        assertThat(grants.drain(36_000 * SECOND))
                .singleElement()
                .satisfies(it -> assertThat(it.permits()).isBetween(6L, 7L));
    }

    @Test
    void correct_afterTheStoreWasCharged_isLeftToTheStore() {
        long round = grants.add(charge(10), AGENTS, 0);
        grants.drain(0);
        grants.add(charge(3), AGENTS, 0);

        assertThat(grants.correct(charge(-8), AGENTS, 0, round)).isFalse();
        assertThat(grants.drain(0)).containsExactly(charge(3));
        assertThat(grants.correct(charge(-8), AGENTS, 0, LocalGrants.NO_ROOM)).isTrue();
    }
}
