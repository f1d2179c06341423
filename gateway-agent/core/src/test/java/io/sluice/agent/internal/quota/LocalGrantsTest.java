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
