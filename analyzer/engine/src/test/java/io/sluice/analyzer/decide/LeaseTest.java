package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.detect.Finding;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseTest {
    private static final long NOW = 1_763_700_000_000L;
    private static final long MAX = 600_000;
    private static final Version VERSION = new Version("decide-0", 1, 2);

    private static Lease lease(String duration) {
        Policy policy = TestPolicies.policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':60}],"
                        + "'mode':'throttle','rate':'50/s','for':'" + duration + "'}}")
                .policies()
                .get(0);
        UsageKey key = new UsageKey(policy.revision(), List.of("acme"));
        Threshold threshold = new Threshold(Threshold.ABOVE, 60, 60, null, 1, List.of());
        Finding finding = new Finding(key, policy, policy.lock(), threshold, 61, 61, 0, NOW - 5);
        return Lease.open(finding, Terms.of(policy.lock(), true), 1, false, NOW, MAX);
    }

    @Test
    void anOpenedLeaseSaysWhyAndForHowLong() {
        GateLock lock = lease("5m").record(VERSION);

        assertThat(lock.mode()).isEqualTo(Mode.THROTTLE);
        assertThat(lock.rate()).isEqualTo(50);
        assertThat(lock.ttlMillis()).isEqualTo(300_000);
        assertThat(lock.since()).isEqualTo(NOW);
        assertThat(lock.until()).isEqualTo(NOW + 300_000);
        assertThat(lock.shadow()).isFalse();
        assertThat(lock.evidence()).satisfies(it -> {
            assertThat(it.detector()).isEqualTo("above");
            assertThat(it.observed()).isEqualTo(61);
            assertThat(it.threshold()).isEqualTo(60);
            assertThat(it.crossed()).isEqualTo(NOW - 5);
            assertThat(it.decided()).isEqualTo(NOW);
            assertThat(it.windowMillis()).isEqualTo(60_000);
            assertThat(it.measure()).isEqualTo("requests");
        });
    }

    @Test
    void aLongLockHasALeaseNoLongerThanTheLongest() {
        GateLock lock = lease("1h").record(VERSION);

        assertThat(lock.ttlMillis()).isEqualTo(MAX);
        assertThat(lock.until()).isEqualTo(NOW + 3_600_000);
    }

    @ParameterizedTest
    @CsvSource({"299999, true, false", "300000, false, true", "300001, false, true"})
    void aLeaseIsOverAtItsEnd(long after, boolean live, boolean expired) {
        assertThat(lease("5m").live(NOW + after)).isEqualTo(live);
        assertThat(lease("5m").expired(NOW + after)).isEqualTo(expired);
    }

    @ParameterizedTest
    @CsvSource({
        "5m, 199999, false",
        "5m, 200000, true",
        "5m, 299999, true",
        "5m, 300000, false",
        "1h, 2399999, false",
        "1h, 2400000, true",
    })
    void aLockIsRenewableInItsLastThirdHoweverLongItsRecordsLease(String length, long after, boolean renewable) {
        assertThat(lease(length).renewable(NOW + after)).isEqualTo(renewable);
    }

    @ParameterizedTest
    @CsvSource({"199999, false", "200000, true", "200001, true"})
    void aLongLockIsRewrittenEachThirdOfItsLease(long after, boolean due) {
        assertThat(lease("1h").rewriteDue(NOW + after)).isEqualTo(due);
    }

    @Test
    void aLeaseThatCoversItsLockIsNotRewritten() {
        assertThat(lease("10m").rewriteDue(NOW + 599_999)).isFalse();
    }

    @Test
    void aRewrittenLockStillEndsWhenItWasGoingTo() {
        Lease rewritten = lease("15m").rewrite(NOW + 400_000, MAX);

        assertThat(rewritten.until()).isEqualTo(NOW + 900_000);
        assertThat(rewritten.ttlMillis()).isEqualTo(500_000);
    }

    @Test
    void aRenewedLockLastsAsLongAgainFromNow() {
        Lease renewed = lease("5m").renew(NOW + 250_000, MAX);

        assertThat(renewed.until()).isEqualTo(NOW + 550_000);
        assertThat(renewed.since()).isEqualTo(NOW);
    }

    @Test
    void aReleaseOpensWithoutEvidence() {
        GateLock lock = lease("5m").release(NOW + 1000, MAX).record(VERSION);

        assertThat(lock.mode()).isEqualTo(Mode.OPEN);
        assertThat(lock.evidence()).isNull();
        assertThat(lock.until()).isEqualTo(NOW + 1000);
        assertThat(lock.ttlMillis()).isEqualTo(MAX);
    }

    @ParameterizedTest
    @CsvSource({"600999, false", "601000, true"})
    void aReleaseIsForgettableWhenNoLeaseCanBeLeft(long after, boolean forgettable) {
        assertThat(lease("5m").release(NOW + 1000, MAX).forgettable(NOW + after, MAX))
                .isEqualTo(forgettable);
    }

    @Test
    void aReleasedLockGoesNowhere() {
        Lease released = lease("5m").release(NOW + 1, MAX);

        assertThatThrownBy(() -> released.renew(NOW + 2, MAX)).hasMessage("a lock that is released can't be renewed");
        assertGoesNowhere(released, NOW + 2);
    }

    private static void assertGoesNowhere(Lease lease, long now) {
        assertThatThrownBy(() -> lease.renew(now, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lease.rewrite(now, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lease.move(now + 1, now, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lease.arm(now, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lease.guard(now, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lease.on(lease.terms(), false, now, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lease.release(now, MAX)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlyADebtMoves() {
        assertThatThrownBy(() -> lease("5m").move(NOW + 1000, NOW + 1, MAX))
                .hasMessage("a lock that lasts until 1763700300000 can't be moved to 1763700001000");
    }

    @Test
    void aDebtIsNeverRenewedAndMovesNoFurtherThanItsCap() {
        Lease debt = debt();

        assertThat(debt.renewable(debt.until() - 1)).isFalse();
        assertThatThrownBy(() -> debt.renew(NOW + 1, MAX))
                .hasMessage("a lock that lasts until 1763700060000 for a debt can't be renewed");
        assertThat(debt.move(NOW + 600_000, NOW + 1, MAX).until()).isEqualTo(NOW + 600_000);
        assertThatThrownBy(() -> debt.move(NOW + 600_001, NOW + 1, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> debt.move(NOW + 1, NOW + 1, MAX)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aDebtThatIsPaidOpensNoLock() {
        assertThatThrownBy(() -> debt(NOW - 60_000)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyALockThatShedsHasARatio() {
        assertThatThrownBy(() -> lease("5m").shedding(0.5)).hasMessageEndingWith("can't be made to shed 0.5");
    }

    @Test
    void onlyAGuardedLockIsArmedAndOnlyARealOneGuarded() {
        Lease real = lease("5m");
        Lease guarded = real.guard(NOW + 1, MAX);

        assertThat(guarded.enforced()).isFalse();
        assertThat(guarded.arm(NOW + 2, MAX).enforced()).isTrue();
        assertThatThrownBy(() -> real.arm(NOW + 1, MAX)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guarded.guard(NOW + 2, MAX)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlyWhatNoRecordTellsChangesWithoutOne() {
        Lease lease = lease("5m");
        Terms longer = lease("10m").terms();
        Terms blocks = debt().terms();

        assertThat(lease.noting(longer).written()).isEqualTo(lease.written());
        assertThatThrownBy(() -> lease.noting(blocks)).hasMessageEndingWith("can't be changed without a record");
    }

    private static Lease debt() {
        return debt(NOW);
    }

    private static Lease debt(long crossed) {
        Policy policy = TestPolicies.policies(
                        "{'name':'p','per':['caller'],'lock':{'when':[{'above':60}]," + "'for':'debt','upTo':'10m'}}")
                .policies()
                .get(0);
        UsageKey key = new UsageKey(policy.revision(), List.of("acme"));
        Threshold threshold = new Threshold(Threshold.DEBT, 60, 60, null, 1, List.of());
        Finding finding = new Finding(key, policy, policy.lock(), threshold, 90, 61, 0, crossed);
        return Lease.open(finding, Terms.of(policy.lock(), true), 1, false, NOW, MAX);
    }

    @Test
    void aLockThatIsOverGoesNowhere() {
        assertGoesNowhere(lease("5m"), NOW + 300_000);
        assertThatThrownBy(() -> lease("5m").renew(NOW + 300_000, MAX))
                .hasMessage("a lock that lasts until 1763700300000 can't be renewed");
    }

    @Test
    void aLeaseIsReadBackAsItWasWritten() throws MalformedRecord {
        Lease lease = lease("5m").rewrite(NOW + 10, MAX);
        Threshold share = new Threshold(
                Threshold.SHARE,
                0.4,
                100,
                new UsageKey("p@1", List.of("service", "a")),
                1.5,
                List.of(lease.threshold()));
        Lease other =
                new Lease(lease.key(), null, lease.terms(), share, lease.evidence(), 1, 2, 7, 0.5, true, 3, 4, true);

        assertThat(LeaseCodec.read(LeaseCodec.write(lease))).isEqualTo(lease);
        assertThat(LeaseCodec.read(LeaseCodec.write(other))).isEqualTo(other);
        assertThat(LeaseCodec.read(LeaseCodec.write(debt()))).isEqualTo(debt());
    }

    @Tag(Seeds.TAG)
    @Test
    void aDamagedLeaseIsReadOrRefused() {
        int refused = Fuzzing.run(
                "lease",
                List.of(LeaseCodec.write(lease("5m")), LeaseCodec.write(debt())),
                MalformedRecord.class,
                input -> assertThat(LeaseCodec.read(input).key()).isNotNull());
        assertThat(refused).isPositive();
    }

    @Test
    void aDamagedLeaseIsRefused() {
        byte[] whole = LeaseCodec.write(lease("5m"));

        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> LeaseCodec.read(cut)).isInstanceOf(MalformedRecord.class);
        }
    }
}
