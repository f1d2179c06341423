package io.sluice.quota.chunks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import org.junit.jupiter.api.Test;

/** A chunk's refusals without its store, which takes 100 µs and rounds its waits up to a millisecond. */
class ChunkTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private final Chunk chunk = new Chunk(
            new QuotaCharge(new QuotaLimit("calls", "", Algorithm.FIXED_WINDOW, 5, 400, 5), "acme", "acme", 1),
            200 * MILLI,
            0);

    @Test
    void secondRefusal_withAWaitRoundedUp_keepsTheTimeThatWasPromisedFirst() {
        chunk.refuse(1, 0, 0, 100 * MICRO, 100 * MILLI);
        chunk.refuse(1, 0, 90 * MILLI, 90 * MILLI + 100 * MICRO, 11 * MILLI);

        assertThat(chunk.refusedFor(1, 99 * MILLI)).isEqualTo(MILLI + 100 * MICRO);
        assertThat(chunk.refusedFor(1, 100 * MILLI + 100 * MICRO)).isZero();
    }

    @Test
    void refusal_afterThePromisedTime_countsAnew() {
        chunk.refuse(1, 0, 0, 100 * MICRO, 10 * MILLI);
        chunk.refuse(1, 0, 20 * MILLI, 20 * MILLI + 100 * MICRO, 30 * MILLI);

        assertThat(chunk.refusedFor(1, 49 * MILLI)).isEqualTo(MILLI + 100 * MICRO);
        assertThat(chunk.refusedFor(1, 50 * MILLI)).isZero();
    }

    @Test
    void refusalOfMore_letsTheStoreDecideAboutLess() {
        chunk.refuse(1, 0, 0, 100 * MICRO, 10 * MILLI);
        chunk.refuse(3, 0, MILLI, MILLI + 100 * MICRO, 100 * MILLI);

        assertThat(chunk.refusedFor(1, 2 * MILLI)).isZero();
        assertThat(chunk.refusedFor(3, 2 * MILLI)).isEqualTo(99 * MILLI + 100 * MICRO);
    }
}
