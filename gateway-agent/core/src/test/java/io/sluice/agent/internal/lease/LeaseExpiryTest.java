package io.sluice.agent.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.operator.OperatorRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LeaseExpiryTest {
    private static final long MS = 1_000_000;
    private static final long BROKER = 1_763_700_000_000L;
    private static final long MAX_LEASE = 600_000;

    @ParameterizedTest
    @CsvSource({
        // age at arrival, ttl, asked so many ms after arrival, over
        "0,     10000,  9999,   false",
        "0,     10000,  10000,  true",
        "0,     10000,  10001,  true",
        "4000,  10000,  5999,   false",
        "4000,  10000,  6000,   true",
        "10000, 10000,  0,      true",
        "99999, 10000,  0,      true",
        "0,     0,      0,      true",
        // a longer ttl than the agent believes
        "0,     3600000, 599999, false",
        "0,     3600000, 600000, true",
        "599999,3600000, 0,      false",
        "600000,3600000, 0,      true",
    })
    void aLeaseIsCountedFromItsAppendByBrokerTime(long age, long ttl, long after, boolean over) {
        BrokerClock clock = new BrokerClock();
        long arrived = 7_000 * MS;
        clock.heard(BROKER, arrived);
        LeaseExpiry lease = LeaseExpiry.capped(clock, BROKER - age, ttl, MAX_LEASE, arrived);
        assertThat(lease.expired(arrived + after * MS)).isEqualTo(over);
    }

    @Test
    void aLeaseReadAtBootstrapIsJudgedByTheClockHeardLater() {
        BrokerClock clock = new BrokerClock();
        clock.heard(BROKER - 50_000, 0);
        LeaseExpiry lease = LeaseExpiry.capped(clock, BROKER - 50_000, 30_000, MAX_LEASE, 0);
        assertThat(lease.expired(0)).isFalse();
        clock.heard(BROKER, 1);
        assertThat(lease.expired(1)).isTrue();
    }

    @Test
    void aLeaseEndsWhenBrokerTimeIsNeverHeardOfAgain() {
        BrokerClock clock = new BrokerClock();
        clock.heard(BROKER, 0);
        LeaseExpiry lease = LeaseExpiry.capped(clock, BROKER, 10_000, MAX_LEASE, 0);
        assertThat(lease.expired(10_000 * MS)).isTrue();
    }

    @Test
    void aLeaseEndsByItsDeadlineWhenTheBrokersClockStandsBack() {
        BrokerClock clock = new BrokerClock();
        clock.heard(BROKER, 0);
        // appended in what this agent takes for the future
        LeaseExpiry lease = LeaseExpiry.capped(clock, BROKER + 3_600_000, 10_000, MAX_LEASE, 0);
        assertThat(lease.expired(9_999 * MS)).isFalse();
        assertThat(lease.expired(10_000 * MS)).isTrue();
    }

    @Test
    void operator_withTtl_endsThen() {
        BrokerClock clock = new BrokerClock();
        clock.heard(BROKER, 0);
        LeaseExpiry lease = LeaseExpiry.operator(clock, BROKER, 86_400_000, 0);
        assertThat(lease.expired(86_399_999 * MS)).isFalse();
        assertThat(lease.expired(86_400_000 * MS)).isTrue();
    }

    @Test
    void operator_withoutTtl_endsAfterAYear() {
        BrokerClock clock = new BrokerClock();
        clock.heard(BROKER, 0);
        LeaseExpiry lease = LeaseExpiry.operator(clock, BROKER, 0, 0);
        assertThat(lease.expired((OperatorRecord.LONGEST_MILLIS - 1) * MS)).isFalse();
        assertThat(lease.expired(OperatorRecord.LONGEST_MILLIS * MS)).isTrue();
    }

    @Test
    void ourOwnHeartbeatSetsAPartitionsClockUntilItsRecordsComeLive() {
        BrokerClocks clocks = new BrokerClocks();
        clocks.heard(0, BROKER - 100_000, 0, false);
        clocks.anchored(BROKER, 0);
        assertThat(clocks.of(0).now(0)).isEqualTo(BROKER);
    }

    @ParameterizedTest
    @ValueSource(longs = {-50_000, 0, 50_000})
    void partitionWithAnotherBroker_keepsItsOwnTimeWhateverOurHeartbeatsSay(long difference) {
        BrokerClocks clocks = new BrokerClocks();
        for (long at = 0; at < 300_000; at += 1_000) {
            long now = at * MS;
            if (at < 150_000) {
                clocks.heard(0, BROKER + at + difference, now, true);
            }
            if (at % 5_000 == 0) {
                clocks.anchored(BROKER + at, now);
            }
            assertThat(clocks.of(0).now(now)).as("at %d", at).isEqualTo(BROKER + at + difference);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-50_000, 0, 50_000})
    void machineThatSleeps_ourHeartbeat_setsTheClockOfAPartitionWithAnotherBroker(long difference) {
        BrokerClocks clocks = new BrokerClocks();
        for (long at = 0; at <= 20_000; at += 5_000) {
            clocks.heard(0, BROKER + at + difference, at * MS, true);
            clocks.anchored(BROKER + at, at * MS);
        }
        clocks.anchored(BROKER + 3_600_000, 25_000 * MS);
        assertThat(clocks.of(0).now(25_000 * MS)).isEqualTo(BROKER + 3_600_000 + difference);
    }

    @Test
    void oldRecordsReadAgain_neverSetTheClockBack() {
        BrokerClocks clocks = new BrokerClocks();
        clocks.heard(0, BROKER, 0, true);
        for (long at = 65_000; at <= 650_000; at += 65_000) {
            clocks.heard(0, BROKER, at * MS, false);
            assertThat(clocks.of(0).now(at * MS)).isEqualTo(BROKER + at);
        }
    }

    @Test
    void sameLeaseReadAgain_keepsTheEarlierDeadline() {
        BrokerClock clock = new BrokerClock();
        LeaseExpiry first = LeaseExpiry.capped(clock, BROKER, 10_000, MAX_LEASE, 0);
        LeaseExpiry again = LeaseExpiry.capped(clock, BROKER, 10_000, MAX_LEASE, 5_000 * MS);
        LeaseExpiry renewed = LeaseExpiry.capped(clock, BROKER + 1, 10_000, MAX_LEASE, 5_000 * MS);
        assertThat(again.cappedBy(first)).isEqualTo(first);
        assertThat(first.cappedBy(again)).isEqualTo(first);
        assertThat(renewed.cappedBy(first)).isEqualTo(renewed);
        assertThat(again.cappedBy(null)).isEqualTo(again);
    }

    @Test
    void aPartitionFirstHeardOfAfterOurHeartbeatTakesItsTimeToo() {
        BrokerClocks clocks = new BrokerClocks();
        clocks.anchored(BROKER, 0);
        clocks.heard(3, BROKER - 100_000, 0, false);
        assertThat(clocks.of(3).now(0)).isEqualTo(BROKER);
    }
}
