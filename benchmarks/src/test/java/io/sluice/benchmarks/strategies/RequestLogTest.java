package io.sluice.benchmarks.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import org.junit.jupiter.api.Test;

class RequestLogTest {
    private static final long MILLI = 1_000_000;
    private static final QuotaLimit TEN = new QuotaLimit("ten", "", Algorithm.TOKEN_BUCKET, 10, 1_000, 10);

    private final RequestLog log = new RequestLog();

    private void granted(int permits, long atMillis) {
        for (int i = 0; i < permits; i++) {
            log.add(atMillis * MILLI, (atMillis + 1) * MILLI, true);
        }
    }

    @Test
    void excess_ofABurstAndTheRate_isNone() {
        granted(10, 0);
        granted(5, 500);

        assertThat(log.excess(TEN, 0, 2_000 * MILLI)).isZero();
    }

    @Test
    void excess_ofASecondBurst_isItsPermits() {
        granted(10, 0);
        granted(10, 500);

        // five have returned meanwhile
        assertThat(log.excess(TEN, 0, 2_000 * MILLI)).isEqualTo(5, within(0.02));
    }

    @Test
    void burst_leavesOutWhatTheRateBrings() {
        granted(5, 0);
        granted(5, 500);

        assertThat(log.burst(TEN, 0, 2_000 * MILLI)).isEqualTo(5, within(0.02));
    }

    @Test
    void grantedOfRate_countsGrantsOfTheSpan() {
        granted(10, 0);
        log.add(100 * MILLI, 101 * MILLI, false);
        granted(4, 1_200);

        assertThat(log.grantedOfRate(TEN, 0, 1_000 * MILLI)).isEqualTo(1);
        assertThat(log.grantedOfRate(TEN, 1_000 * MILLI, 1_500 * MILLI)).isEqualTo(0.8);
    }

    @Test
    void longestWait_isOfRequestsAskedInTheSpan() {
        log.add(0, 500 * MILLI, false);
        log.add(600 * MILLI, 650 * MILLI, true);

        assertThat(log.longestWaitMillis(100 * MILLI, 1_000 * MILLI)).isEqualTo(50);
    }
}
