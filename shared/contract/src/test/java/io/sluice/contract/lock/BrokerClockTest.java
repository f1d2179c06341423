package io.sluice.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BrokerClockTest {
    private static final long MS = 1_000_000;
    private static final long BROKER = 1_763_700_000_000L;

    private final BrokerClock clock = new BrokerClock();

    @Test
    void nothingIsKnownBeforeTheFirstRecord() {
        assertThat(clock.now(123)).isEqualTo(BrokerClock.UNKNOWN);
    }

    @Test
    void theTimeGoesOnFromTheNewestAppendTime() {
        clock.heard(1_000, 50 * MS);

        assertThat(clock.now(50 * MS)).isEqualTo(1_000);
        assertThat(clock.now(58 * MS - 1)).isEqualTo(1_007);
        assertThat(clock.now(58 * MS)).isEqualTo(1_008);
    }

    @Test
    void anOlderAppendTimeChangesNothing() {
        clock.heard(1_000, 0);
        clock.heard(900, 5 * MS);

        assertThat(clock.now(5 * MS)).isEqualTo(1_005);
    }

    @Test
    void aRecordThatWasLongOnItsWayDoesNotSetTheClockBack() {
        clock.heard(BROKER, 0);
        clock.heard(BROKER + 1_000, 30_000 * MS);

        assertThat(clock.now(30_000 * MS)).isEqualTo(BROKER + 30_000);
    }

    @Test
    void aBrokerWhoseClockWasSetBackIsBelievedAfterTwoMinutes() {
        clock.heard(BROKER + 3_600_000, 0);
        for (long second = 1; second <= 125; second++) {
            clock.heard(BROKER + second * 1000, second * 1000 * MS);
        }

        assertThat(clock.now(125_000 * MS)).isEqualTo(BROKER + 125_000);
    }

    @Test
    void aMonotonicTimeThatOverflowsIsNoMatter() {
        clock.heard(1_000, Long.MAX_VALUE - 999_999);

        assertThat(clock.now(Long.MIN_VALUE)).isEqualTo(1_001);
    }

    @Test
    void aMonotonicTimeThatOverflowsBetweenTwoRecordsIsNoMatter() {
        clock.heard(1_000, Long.MAX_VALUE - 9 * MS + 1);
        clock.heard(1_015, Long.MIN_VALUE + 6 * MS);

        assertThat(clock.now(Long.MIN_VALUE + 6 * MS)).isEqualTo(1_015);
    }
}
