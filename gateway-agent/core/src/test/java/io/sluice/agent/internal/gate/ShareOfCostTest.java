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
