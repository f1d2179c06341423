package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Shares of a limit of 4,000 tokens while its store is away: each of two agents has 2,000. */
class ShareOfCostTest {
    private final StoreHarness agent = new StoreHarness(TimeUnit.MINUTES.toNanos(2), StoreHarness.tokens(4_000, ""));

    private static Verdict.Reason reason(Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Rejected.class);
        return ((Verdict.Rejected) verdict).reason();
    }

    @Test
    void settle_whileTheStoreIsAway_isWhatTheStoreIsCharged() {
        agent.loseStore();
        Verdict less = agent.ask("less", 1_000);
        Verdict more = agent.ask("more", 1);
        Verdict beyond = agent.ask("beyond", 1);
        less.settle(10);
        less.settle(500);
        more.settle(1_000);
        beyond.settle(3_000);
        agent.returnStore();

        assertThat(agent.tokensOf("less")).isEqualTo(10);
        assertThat(agent.tokensOf("more")).isEqualTo(1_000);
        assertThat(agent.tokensOf("beyond")).isEqualTo(3_000);
    }

    @Test
    void settle_afterTheReturn_correctsTheStore() {
        agent.loseStore();
        Verdict less = agent.ask("less", 1_000);
        Verdict more = agent.ask("more", 1);
        agent.returnStore();
        assertThat(agent.tokensOf("less")).isEqualTo(1_000);
        less.settle(10);
        more.settle(1_000);

        assertThat(agent.tokensOf("less")).isEqualTo(10);
        assertThat(agent.tokensOf("more")).isEqualTo(1_000);
    }

    @Test
    void requestThatWasNotSettled_isChargedItsReservation() {
        agent.loseStore();
        agent.ask("acme", 300).close();
        agent.returnStore();

        assertThat(agent.tokensOf("acme")).isEqualTo(300);
    }

    @Test
    void costAboveTheShare_isLimitedByIt_andAboveTheLimitExceedsIt() {
        agent.loseStore();
        Verdict aboveShare = agent.ask("acme", 3_000);

        assertThat(reason(aboveShare)).isEqualTo(Verdict.Reason.LIMITED_BY_SHARE);
        assertThat(((Verdict.Rejected) aboveShare).retryAfterMillis()).isEqualTo(5_000);
        assertThat(reason(agent.ask("acme", 4_001))).isEqualTo(Verdict.Reason.EXCEEDS_LIMIT);
        agent.returnStore();
        assertThat(agent.ask("acme", 3_000).allowed()).isTrue();
    }
}
