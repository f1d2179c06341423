package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.internal.gate.FaultyStrategy.Fault;
import io.sluice.agent.quota.QuotaStatus.State;
import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Limits of a central store that only report. */
class ShadowOfCostTest {
    private static final long PATIENT = TimeUnit.MINUTES.toNanos(2);
    private static final String TOKENS = StoreHarness.tokens(100, ",'shadow':true");
    private static final String CALLERS =
            "{\"name\":\"callers\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1,\"scope\":\"fleet\",\"strategy\":\"faulty\"}}";

    @Test
    void settle_replacesTheReservation() {
        StoreHarness agent = new StoreHarness(PATIENT, TOKENS);
        agent.ask("acme", 50).settle(20);
        assertThat(agent.tokensOf("acme")).isEqualTo(20);
        agent.ask("acme", 10).settle(70);

        assertThat(agent.tokensOf("acme")).isEqualTo(90);
    }

    @Test
    void settle_beforeTheAnswer_correctsAfterIt() {
        StoreHarness agent = new StoreHarness(PATIENT, TOKENS);
        agent.store.fault = Fault.SILENT;
        agent.ask("acme", 50).settle(20);
        assertThat(agent.tokensOf("acme")).isZero();
        agent.store.answerLate();

        assertThat(agent.tokensOf("acme")).isEqualTo(20);
    }

    @Test
    void settle_ofWhatWouldBeRejected_chargesWhatWasUsed() {
        StoreHarness agent = new StoreHarness(PATIENT, TOKENS);
        agent.ask("acme", 90);
        agent.ask("acme", 50).settle(30);

        assertThat(agent.gates.wouldReject("tokens")).isEqualTo(1);
        assertThat(agent.tokensOf("acme")).isEqualTo(120);
    }

    @Test
    void settle_ofWhatTheShareWouldReject_isChargedAfterTheReturn() {
        StoreHarness agent = new StoreHarness(PATIENT, TOKENS);
        agent.loseStore();
        agent.ask("acme", 40);
        Verdict more = agent.ask("acme", 20);
        assertThat(agent.gates.wouldReject("tokens")).isEqualTo(1);
        more.settle(30);
        agent.returnStore();

        assertThat(agent.tokensOf("acme")).isEqualTo(70);
    }

    @Test
    void rejectionByAnotherLimit_refundsTheReservation() {
        StoreHarness agent = new StoreHarness(PATIENT, TOKENS, CALLERS);
        assertThat(agent.ask("acme", 50).allowed()).isTrue();
        assertThat(agent.ask("acme", 30).allowed()).isFalse();

        assertThat(agent.tokensOf("acme")).isEqualTo(50);
    }

    @Test
    void silence_countsAsAFailure_soThatSharesReport() {
        StoreHarness agent = new StoreHarness(TimeUnit.MILLISECONDS.toNanos(20), TOKENS);
        agent.store.fault = Fault.SILENT;
        for (int i = 0; i < 5; i++) {
            assertThat(agent.ask("acme", 1).allowed()).isTrue();
        }

        await().until(() -> agent.status().state() == State.OPEN);
        assertThat(agent.status().timedOut()).isEqualTo(5);
        agent.store.answerLate();
        agent.returnStore();
        assertThat(agent.tokensOf("acme")).isZero();
    }
}
