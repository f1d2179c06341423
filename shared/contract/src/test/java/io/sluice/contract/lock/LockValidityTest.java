package io.sluice.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockValidityTest {
    private static final long MINUTE = 60_000;
    private static final long MAX_LEASE = 10 * MINUTE;
    private static final long APPEND = 1_763_700_000_000L;

    private final LockValidity validity = new LockValidity();

    @Test
    void admits_lowerEpochBehindHigher_isRefused() {
        validity.admits(new Version("decide-0", 5, 0));
        assertThat(validity.admits(new Version("decide-0", 4, 9))).isFalse();
    }

    @Test
    void admits_sameEpoch_passes() {
        validity.admits(new Version("decide-0", 5, 3));
        assertThat(validity.admits(new Version("decide-0", 5, 3))).isTrue();
    }

    @Test
    void admits_lowerEpochBeforeHigher_passes() {
        assertThat(validity.admits(new Version("decide-0", 4, 9))).isTrue();
        assertThat(validity.admits(new Version("decide-0", 5, 0))).isTrue();
    }

    @Test
    void admits_lowerEpochOfAnotherTask_passes() {
        validity.admits(new Version("decide-0", 5, 0));
        assertThat(validity.admits(new Version("decide-1", 4, 0))).isTrue();
    }

    @Test
    void reset_fencesNothing() {
        validity.admits(new Version("decide-0", 5, 0));
        validity.reset();
        assertThat(validity.admits(new Version("decide-0", 4, 0))).isTrue();
    }

    @Test
    void epochs_takenOver_fenceTheSame() {
        validity.admits(new Version("decide-0", 5, 0));
        LockValidity next = new LockValidity();
        next.epochs(validity.epochs());

        assertThat(next.admits(new Version("decide-0", 4, 0))).isFalse();
    }

    @Test
    void admitted_ownKey_isTheLock() throws MalformedRecord {
        assertThat(validity.admitted(7, key("acme"), GateLockJson.write(lock(MINUTE))))
                .isPresent();
    }

    @Test
    void admitted_foreignOrMissingKey_isMalformed() {
        byte[] value = GateLockJson.write(lock(MINUTE));

        assertThatThrownBy(() -> validity.admitted(0, key("somebody"), value)).isInstanceOf(MalformedRecord.class);
        assertThatThrownBy(() -> validity.admitted(0, null, value)).isInstanceOf(MalformedRecord.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"decide-1", "decide-00", "decide-", "decide-0 ", "0", "encode-0"})
    void admitted_heartbeatOfAnotherPartitionsTask_isMalformedAndFencesNothing(String task) throws MalformedRecord {
        var foreign = new AnalyzerHeartbeat(new Version(task, 9, 0), "a", 1, Map.of());
        byte[] key = CompositeKey.bytes(GateKeys.of(foreign));
        byte[] value = GateLockJson.write(foreign);

        assertThatThrownBy(() -> validity.admitted(0, key, value))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("another partition's task");
        assertThat(validity.epochs()).isEmpty();
    }

    @Test
    void admitted_heartbeatOnItsTasksPartition_isTheHeartbeat() throws MalformedRecord {
        var own = new AnalyzerHeartbeat(new Version("decide-12", 9, 0), "a", 1, Map.of());

        assertThat(validity.admitted(12, CompositeKey.bytes(GateKeys.of(own)), GateLockJson.write(own)))
                .contains(own);
    }

    @Test
    void admitted_tombstone_isNothing() throws MalformedRecord {
        assertThat(validity.admitted(0, key("acme"), null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"60000, 60000", "600000, 600000", "3600000, 600000", "0, 0"})
    void leaseEnd_lock_isItsTtlButAtMostTheLongestLease(long ttl, long lease) {
        assertThat(LockValidity.leaseEnd(lock(ttl), APPEND, MAX_LEASE)).isEqualTo(APPEND + lease);
    }

    @Test
    void leaseEnd_release_isTheLongestLease() {
        assertThat(LockValidity.leaseEnd(lock(Mode.OPEN, MINUTE), APPEND, MAX_LEASE))
                .isEqualTo(APPEND + MAX_LEASE);
    }

    @Test
    void operatorEnd_isItsTtl_andAYearAtTheLatest() {
        assertThat(LockValidity.operatorEnd(3 * MAX_LEASE, APPEND)).isEqualTo(APPEND + 3 * MAX_LEASE);
        assertThat(LockValidity.operatorEnd(0, APPEND)).isEqualTo(APPEND + OperatorRecord.LONGEST_MILLIS);
        assertThat(LockValidity.operatorEnd(Long.MAX_VALUE, APPEND)).isEqualTo(APPEND + OperatorRecord.LONGEST_MILLIS);
    }

    @Test
    void fits_sameAttributesOrNoneNamed() {
        assertThat(LockValidity.fits(List.of("caller"), List.of("caller"))).isTrue();
        assertThat(LockValidity.fits(null, List.of("caller"))).isTrue();
        assertThat(LockValidity.fits(List.of("caller"), List.of("service"))).isFalse();
        assertThat(LockValidity.fits(List.of("caller", "service"), List.of("service", "caller")))
                .isFalse();
    }

    @Test
    void holds_untilTheEndExcluded() {
        assertThat(LockValidity.holds(APPEND, APPEND - 1)).isTrue();
        assertThat(LockValidity.holds(APPEND, APPEND)).isFalse();
    }

    private static byte[] key(String caller) {
        return CompositeKey.bytes(GateKeys.key("p", List.of(caller)));
    }

    private static GateLock lock(long ttl) {
        return lock(Mode.BLOCK, ttl);
    }

    private static GateLock lock(Mode mode, long ttl) {
        return new GateLock(
                "p",
                List.of("acme"),
                mode,
                0,
                0,
                ttl,
                APPEND,
                APPEND + 60 * MINUTE,
                1,
                false,
                false,
                null,
                new Version("decide-0", 1, 1));
    }
}
