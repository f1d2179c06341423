package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.LeaseRig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeat offenders are locked for longer each time, until that is forgotten. */
class EscalationTest {
    private static final long FOR = 300_000;
    private static final long FORGET = 3_600_000;

    private final LeaseRig rig = new LeaseRig(escalating(""));

    private static PolicySet escalating(String more) {
        return policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':60}],'for':'5m'" + more
                + ",'escalate':{'factor':3,'upTo':'40m','forget':'1h'}}}");
    }

    /** A lock from its opening to its end by itself; returns the end. */
    private static long served(LeaseRig rig, String caller, long now) {
        rig.over(caller, 61, now);
        long until = rig.last().until();
        rig.look(until);
        return until;
    }

    @ParameterizedTest
    @CsvSource({"1, 300000", "2, 900000", "3, 2400000", "4, 2400000", "2147483647, 2400000"})
    void eachRepeatLastsSoManyTimesAsLongUpToACap(int level, long millis) {
        Length length = Length.of(escalating("").policies().get(0).lock());

        assertThat(length.ofLevel(level)).isEqualTo(millis);
    }

    @Test
    void aRepeatIsOpenedAtTheNextLevelAndSaysSo() {
        long end = TIME;
        for (int i = 0; i < 4; i++) {
            end = served(rig, "acme", end + 1000);
        }

        assertThat(rig.said).extracting(GateLock::level).containsExactly(1, 2, 3, 4);
        assertThat(rig.said)
                .extracting(lock -> lock.until() - lock.since())
                .containsExactly(FOR, 3 * FOR, 2_400_000L, 2_400_000L);
    }

    @Test
    void aRepeatBeforeTheEndOfTheLastWasNoticed_isOpenedAtTheNextLevel() {
        long end = rig.over("acme", 61, TIME).last().until();

        rig.over("acme", 61, end + 100);

        assertThat(rig.said).extracting(GateLock::level).containsExactly(1, 2);
        assertThat(rig.counts.of(Count.EXPIRED)).isEqualTo(1);
    }

    @Test
    void anotherCallersRepeatsAreItsOwn() {
        served(rig, "acme", TIME);

        rig.over("emca", 61, TIME + FOR);

        assertThat(rig.last().level()).isEqualTo(1);
    }

    @Test
    void aRepeatIsRenewedForItsWholeLength() {
        long end = served(rig, "acme", TIME);
        rig.demand = 1;
        rig.over("acme", 61, end);

        // a third of it is left
        rig.look(end + 2 * FOR - 1);
        assertThat(rig.counts.of(Count.RENEWED)).isZero();
        rig.look(end + 2 * FOR + 249);

        assertThat(rig.counts.of(Count.RENEWED)).isEqualTo(1);
        assertThat(rig.last().level()).isEqualTo(2);
        assertThat(rig.last().until()).isEqualTo(end + 2 * FOR + 249 + 3 * FOR);
    }

    @ParameterizedTest
    @CsvSource({"3599999, 2", "3600000, 1", "3600001, 1"})
    void aLockIsForgottenSoLongAfterItsEnd(long after, int level) {
        long end = served(rig, "acme", TIME);

        rig.over("acme", 61, end + after);

        assertThat(rig.last().level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"3599999, 2", "3600000, 1", "3600001, 1"})
    void forALockThatWasReleasedThatIsTheMomentOfItsRelease(long after, int level) {
        rig.over("acme", 61, TIME);
        rig.demand = 0;
        rig.look(TIME + 10_000);
        rig.demand = Double.NaN;

        rig.over("acme", 61, TIME + 10_000 + after);

        assertThat(rig.last().level()).isEqualTo(level);
    }

    @Test
    void aLockThatEndedWhileNobodyLookedIsRememberedFromItsEnd() {
        rig.over("acme", 61, TIME);
        long end = rig.last().until();
        rig.look(end + FORGET - 1000);

        rig.over("acme", 61, end + FORGET - 1);
        assertThat(rig.last().level()).isEqualTo(2);
    }

    @Test
    void theMemorySurvivesTheTask() {
        long end = served(rig, "acme", TIME);
        LeaseRig next = new LeaseRig(escalating(""), rig.store);

        next.over("acme", 61, end + FORGET - 1);

        assertThat(next.last().level()).isEqualTo(2);
    }

    @Test
    void aLockThatTheTaskDidNotSurviveIsRememberedByTheNext() {
        rig.over("acme", 61, TIME);
        long end = rig.last().until();
        LeaseRig next = new LeaseRig(escalating(""), rig.store);

        next.look(end + 5000).over("acme", 61, end + 6000);

        assertThat(next.last().level()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {",'shadow':true", ",'mode':'shadow'"})
    void reportsEscalateAsIfTheyWereLocks(String shadow) {
        LeaseRig reporting = new LeaseRig(escalating(shadow));
        long end = served(reporting, "acme", TIME);

        reporting.over("acme", 61, end);

        assertThat(reporting.last().level()).isEqualTo(2);
        assertThat(reporting.length()).isEqualTo(3 * FOR);
    }

    @Test
    void whatTheGuardHeldBackEscalatesToo() {
        // no caller counts as active, so the guard allows one lock
        rig.over("first", 61, TIME);
        rig.over("acme", 61, TIME + 1);
        assertThat(rig.last().guarded()).isTrue();
        rig.look(TIME + FOR + 1);

        rig.over("first", 61, TIME + FOR + 2);
        rig.over("acme", 61, TIME + FOR + 2);

        assertThat(rig.last().guarded()).isTrue();
        assertThat(rig.last().level()).isEqualTo(2);
    }

    @Test
    void aPolicyThatCountsInAnotherWayBeginsWithNobody() {
        long end = served(rig, "acme", TIME);
        rig.policies(policies("{'name':'p','per':['caller'],'window':'2m','lock':{'when':[{'above':60}],"
                + "'escalate':{'factor':3,'upTo':'40m','forget':'1h'}}}"));

        rig.over("acme", 61, end + 1);

        assertThat(rig.last().level()).isEqualTo(1);
    }

    @Test
    void withoutEscalateNothingIsRemembered() {
        LeaseRig plain = new LeaseRig(policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':60}]}}"));
        long end = served(plain, "acme", TIME);

        plain.over("acme", 61, end);
        assertThat(plain.last().level()).isEqualTo(1);
        plain.look(end + FOR);
        assertThat(entries(plain.store)).isZero();
    }

    @Test
    void theStoreKeepsNothingThatIsForgotten() {
        long first = served(rig, "acme", TIME);
        long second = served(rig, "emca", first + 60_000);
        assertThat(entries(rig.store)).isEqualTo(2);

        rig.look(first + FORGET);
        assertThat(entries(rig.store)).isEqualTo(1);
        rig.look(second + FORGET);

        assertThat(entries(rig.store)).isZero();
    }

    @Test
    void theMemoryIsBoundedAndLosesFirstWhatItWouldForgetFirst() {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        Offenders offenders = new Offenders(store);
        LeaseRig source = new LeaseRig(escalating(""));
        source.over("acme", 61, TIME);
        Lease lease = firstLease(source.store);
        for (int i = 0; i <= Offenders.MOST; i++) {
            offenders.remember(named(lease, "caller-" + i, TIME + i));
        }
        offenders.remember(named(lease, "long-ago", TIME - 1));

        assertThat(offenders.size()).isEqualTo(Offenders.MOST);
        assertThat(entries(store)).isEqualTo(Offenders.MOST);
        assertThat(offenders.level(named(lease, "caller-0", TIME).key(), TIME)).isZero();
        assertThat(offenders.level(named(lease, "long-ago", TIME).key(), TIME)).isZero();
        assertThat(offenders.level(named(lease, "caller-1", TIME).key(), TIME)).isEqualTo(1);
    }

    @Test
    void whatIsCutOffIsCountedAndRemoved() {
        byte[] key = CompositeKey.bytes(List.of("$offender", "p@0", "acme"));
        rig.store.write(key, new byte[] {1});

        LeaseRig next = new LeaseRig(escalating(""), rig.store);

        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(rig.store.read(key)).isNull();
    }

    @Test
    void storedRepeatWithoutAPolicy_isCountedAndRemoved() {
        byte[] key = CompositeKey.bytes(List.of("$offender", "", "acme"));
        byte[] value = new byte[13];
        value[0] = 1;
        rig.store.write(key, value);

        LeaseRig next = new LeaseRig(escalating(""), rig.store);

        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(rig.store.read(key)).isNull();
    }

    /** While a fleet is upgraded, the task may go back to the version that wrote it. */
    @Test
    void whatIsOfAnotherFormatIsCountedAndKept() {
        byte[] key = CompositeKey.bytes(List.of("$offender", "p@0", "acme"));
        rig.store.write(key, new byte[] {9});

        LeaseRig next = new LeaseRig(escalating(""), rig.store);

        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(rig.store.read(key)).isNotNull();
    }

    private static Lease named(Lease lease, String caller, long until) {
        return new Lease(
                new io.sluice.contract.usage.UsageKey(lease.key().policyRevision(), List.of(caller)),
                lease.per(),
                lease.terms(),
                lease.threshold(),
                lease.evidence(),
                lease.since(),
                until,
                1,
                0,
                false,
                lease.written(),
                1,
                true);
    }

    private static Lease firstLease(LeaseStore store) {
        List<Lease> leases = new java.util.ArrayList<>();
        store.forEach((key, value) -> {
            try {
                leases.add(LeaseCodec.read(value));
            } catch (io.sluice.contract.json.MalformedRecord e) {
                throw new AssertionError(e);
            }
        });
        return leases.get(0);
    }

    private static int entries(LeaseStore store) {
        int[] entries = {0};
        store.forEach((key, value) -> entries[0]++);
        return entries[0];
    }
}
