package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.internal.gate.FaultyStrategy.Fault;
import io.sluice.agent.quota.QuotaStatus.State;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Limits of a central store that only report. */
class ShadowOfCostTest {
    private static final String TOKENS = StoreHarness.tokens(100, ",'shadow':true");

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
