package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.above;
import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.TestPolicies.set;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.usage.UsageKey;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators, new policies and new lives of a task do to locks. */
class ChangeOfMindTest {
    private static final String P = "{'name':'p','per':['caller'],'lock':{'when':[{'above':60}]%s}}";

    private final Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);

    private static OperatorRecord release(long ttl) {
        return new OperatorRecord.Release("p", List.of("acme"), ttl, "ann", "a mistake", TIME);
    }

    @Test
    void aPolicyThatIsGoneOpensItsLocks() {
        rig.policies(set("{'policies':[]}"));
        assertThat(rig.said).hasSize(1);

        rig.task.tick(TIME + 1);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    @Test
    void aPolicyThatNoLongerLocksOpensItsLocks() {
        rig.policies(policies("{'name':'p','per':['caller'],'limit':{'rate':'10/s'}}"));

        rig.task.tick(TIME + 1);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    @Test
    void anUnchangedPolicyLeavesItsLocksAlone() {
        rig.policies(above(60));

        rig.task.tick(TIME + 1);

        assertThat(rig.said).hasSize(1);
    }

    @Test
    void locksFollowTheModeOfTheirPolicy() {
        rig.policies(policies(P.formatted(",'mode':'throttle','rate':'5/s'")));

        rig.task.tick(TIME + 1000);

        assertThat(rig.last().mode()).isEqualTo(Mode.THROTTLE);
        assertThat(rig.last().rate()).isEqualTo(5);
        assertThat(rig.last().until()).isEqualTo(TIME + 300_000);
    }

    @Test
    void locksBecomeReportsWhenTheSetNoLongerEnforces() {
        rig.policies(set("{'enforce':false,'policies':[" + P.formatted("") + "]}"));

        rig.task.tick(TIME + 1);

        assertThat(rig.last().shadow()).isTrue();
        assertThat(rig.last().guarded()).isFalse();
    }

    @Test
    void aNewWindowDoesNotReleaseWhatTheOldOneLocked() {
        rig.policies(policies("{'name':'p','per':['caller'],'window':'2m','lock':{'when':[{'above':60}]}}"));

        rig.until(TIME + 250, TIME + 290_000, "acme", 0, 0);

        assertThat(rig.said).hasSize(1);
        assertThat(rig.task.locks()).isEqualTo(1);
    }

    @Test
    void aNewWindowDoesNotRenewWhatTheOldOneLocked() {
        rig.policies(policies("{'name':'p','per':['caller'],'window':'2m','lock':{'when':[{'above':60}]}}"));

        rig.until(TIME + 250, TIME + 299_750, "acme", 0, 20);

        assertThat(rig.said).extracting(GateLock::until).containsExactly(TIME + 300_000);
    }

    /** Demand is held against the number that is in force, not against the one that was. */
    @Test
    void aHigherThresholdFreesWhoIsBelowIt() {
        rig.until(TIME + 250, TIME + 60_000, "acme", 0, 2);
        assertThat(rig.last().mode()).isNotEqualTo(Mode.OPEN);

        rig.policies(above(1_000));
        rig.until(TIME + 60_250, TIME + 70_000, "acme", 0, 2);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    /** A number that only holds together with another condition is none of this lock's. */
    @Test
    void aHigherThresholdBesideACombinedConditionFreesWhoIsBelowIt() {
        String both = "{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':%s},"
                + "{'all':[{'share':'40%%','of':[]},{'above':10}]}]}}";
        Rig high = Rig.with(policies(both.formatted("60"))).admit("acme", 61, TIME);

        high.policies(policies(both.formatted("1000")));
        high.until(TIME + 250, TIME + 70_000, "acme", 0, 2);

        assertThat(high.last().mode()).isEqualTo(Mode.OPEN);
    }

    /** A silent caller is freed, another one is not locked for longer. */
    @ParameterizedTest
    @CsvSource({"0, 290000", "2, 310000"})
    void aConditionThatIsGoneRenewsNoLock(int rejected, long freed) {
        rig.policies(
                policies(
                        "{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'spike':3,'baseline':'1h','floor':60}]}}"));

        rig.until(TIME + 250, TIME + freed, "acme", 0, rejected);

        assertThat(rig.task.locks()).isZero();
        assertThat(rig.said).extracting(GateLock::until).allMatch(until -> until <= TIME + 300_000);
    }

    @Test
    void aLowerThresholdKeepsWhoIsAboveIt() {
        Rig high = Rig.with(above(600)).admit("acme", 601, TIME);

        high.policies(above(60));
        high.until(TIME + 250, TIME + 400_000, "acme", 0, 2);

        assertThat(high.said)
                .as("120 a minute: below half of the former threshold, twice the present one")
                .extracting(GateLock::mode)
                .containsOnly(Mode.BLOCK);
        assertThat(high.task.locks()).isOne();
    }

    @Test
    void anOverrideWithAHigherThresholdFreesItsSubject() {
        rig.policies(policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':60}]},"
                + "'overrides':[{'match':{'caller':'acme'},'lock':{'when':[{'above':1000}]}}]}"));

        rig.until(TIME + 250, TIME + 70_000, "acme", 0, 2);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    @Test
    void aPolicyThatCountsBySomethingElseOpensItsLocks() {
        rig.policies(policies("{'name':'p','per':['service'],'lock':{'when':[{'above':60}]}}"));

        rig.task.tick(TIME + 1);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    @Test
    void aPolicyThatCountsBySomethingElseKeepsTheLocksItOpenedItself() {
        rig.policies(policies("{'name':'p','per':['service'],'lock':{'when':[{'above':60}]}}"));

        rig.admit("acme", 61, TIME + 1);

        assertThat(rig.said)
                .filteredOn(lock -> lock.mode() == Mode.OPEN)
                .extracting(GateLock::subject)
                .containsExactly(List.of("acme"));
        assertThat(rig.task.locks()).isEqualTo(1);
    }

    @Test
    void restore_policyCountsByOtherAttributesMeanwhile_opensTheLock() {
        LeaseStore store = new InMemoryLeaseStore();
        new LeaseRig(above(60), store).over("acme", 61, TIME);

        LeaseRig next = new LeaseRig(policies("{'name':'p','per':['service'],'lock':{'when':[{'above':60}]}}"), store)
                .look(TIME + 1_000);

        assertThat(next.said).extracting(GateLock::mode).containsExactly(Mode.OPEN);
        assertThat(next.last().per()).containsExactly("caller");
        assertThat(next.counts.of(Count.OTHER_SUBJECT)).isEqualTo(1);
    }

    @Test
    void restore_leaseOfAnEarlierVersion_keepsItsMeaning() throws Exception {
        LeaseStore store = new InMemoryLeaseStore();
        try (InputStream kept = getClass().getResourceAsStream("/codecs/lease-format-2.hex")) {
            String hex = new String(kept.readAllBytes(), StandardCharsets.US_ASCII).strip();
            store.write(CompositeKey.bytes(List.of("p", "acme")), HexFormat.of().parseHex(hex));
        }

        LeaseRig next = new LeaseRig(policies("{'name':'p','per':['service'],'lock':{'when':[{'above':60}]}}"), store)
                .look(TIME + 1_000);

        assertThat(next.counts.of(Count.UNREADABLE)).isZero();
        assertThat(next.said).isEmpty();
        assertThat(next.leases.locked(new UsageKey("p@0123456789abcdef", List.of("acme"))))
                .isTrue();
    }

    @Test
    void operatorsRelease_ofASubjectByOtherAttributes_forbidsNothing() {
        LeaseRig leases = new LeaseRig(above(60));
        leases.leases.operator(
                new OperatorRecord.Release("p", List.of("acme"), List.of("service"), 600_000, "ann", "why", TIME),
                TIME);

        leases.over("acme", 61, TIME);

        assertThat(leases.said).extracting(GateLock::mode).containsExactly(Mode.BLOCK);
    }

    @Test
    void aLockWhoseTermsKeepChangingIsStillRewrittenInTime() {
        String lasting = P.formatted(",'for':'2h','release':'%d%%'");
        Rig changing = Rig.with(policies(lasting.formatted(1))).admit("acme", 61, TIME);

        for (int minute = 1; minute <= 60; minute++) {
            changing.policies(policies(lasting.formatted(1 + minute % 9)));
            changing.task.tick(TIME + minute * 60_000L);
        }

        // a record each third of a lease of ten minutes, at the first whole minute after
        assertThat(changing.counts.of(Count.REWRITTEN)).isEqualTo(15);
    }

    @Test
    void aReleaseForLongerThanTimeItselfHolds() {
        rig.task.operator(release(Long.MAX_VALUE), TIME);

        rig.task.tick(TIME + 1);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    @Test
    void anOperatorsReleaseOpensTheGate() {
        rig.task.operator(release(600_000), TIME + 10);

        rig.task.tick(TIME + 11);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    @ParameterizedTest
    @CsvSource({"600000, 599999, 0", "600000, 600000, 1", "0, 86400000, 0"})
    void anOperatorsReleaseForbidsToLockAgainForAWhile(long ttl, long after, int locked) {
        rig.task.operator(release(ttl), TIME);
        rig.task.tick(TIME + 1);

        rig.admit("acme", 61, TIME + after);

        assertThat(rig.task.locks()).isEqualTo(locked);
        assertThat(rig.counts.of(Count.FORBIDDEN)).isEqualTo(1 - locked);
    }

    @Test
    void anOldReleaseReadAgainDoesNotOpenANewLock() {
        rig.task.operator(release(600_000), TIME - 700_000);

        rig.task.tick(TIME + 1);

        assertThat(rig.task.locks()).isEqualTo(1);
    }

    @Test
    void aReleaseThatIsTakenBackForbidsNothing() {
        rig.task.operator(release(0), TIME);
        rig.task.tick(TIME + 1);
        rig.task.operatorGone("p", List.of("acme"));

        rig.admit("acme", 61, TIME + 1000);

        assertThat(rig.task.locks()).isEqualTo(1);
    }

    @Test
    void anOperatorsLockTakesTheReleaseBack() {
        rig.task.operator(release(0), TIME);
        rig.task.tick(TIME + 1);
        rig.task.operator(
                new OperatorRecord.Lock("p", List.of("acme"), Mode.BLOCK, 0, 0, "ann", "after all", TIME), TIME + 2);

        rig.admit("acme", 61, TIME + 1000);

        assertThat(rig.task.locks()).isEqualTo(1);
    }

    @Test
    void aReleaseConcernsItsSubjectAlone() {
        rig.task.operator(release(600_000), TIME);

        rig.admit("emca", 61, TIME + 1);

        assertThat(rig.said)
                .filteredOn(it -> it.mode() == Mode.BLOCK)
                .last()
                .satisfies(it -> assertThat(it.subject()).containsExactly("emca"));
    }

    @Test
    void aNewLifeGoesOnWithTheLocksOfTheLast() {
        rig.task.flush();
        Rig next = new Rig(rig.state, rig.windows);
        next.policies(above(60));

        next.until(TIME + 1000, TIME + 61_000, "acme", 0, 0);

        assertThat(next.last().mode()).isEqualTo(Mode.OPEN);
        assertThat(next.last().since()).isEqualTo(TIME);
    }

    @Test
    void aNewLifeHasAHigherEpochAndCountsFromZero() {
        GateLock before = rig.last();
        Rig next = new Rig(rig.state, rig.windows);
        next.policies(set("{'policies':[]}"));

        next.task.tick(TIME + 1);

        assertThat(next.last().version().epoch()).isGreaterThan(before.version().epoch());
        assertThat(next.last().version().seq()).isZero();
    }

    @Test
    void aNewLifeThatKnowsNoPoliciesYetReleasesNothing() {
        Rig next = new Rig(rig.state, rig.windows);

        next.until(TIME + 1000, TIME + 100_000, "acme", 0, 0);

        assertThat(next.task.locks()).isEqualTo(1);
        assertThat(next.said).isEmpty();
    }

    private static final byte[] OTHER = CompositeKey.bytes(List.of("p", "other"));

    /** While a fleet is upgraded, the task may go back to the version that wrote it. */
    @Test
    void storedLeaseOfAnotherFormat_isCountedAndKept() {
        rig.state.write(OTHER, new byte[] {9, 9});

        Rig next = new Rig(rig.state, rig.windows);

        assertThat(next.task.locks()).isEqualTo(1);
        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(next.state.read(OTHER)).isNotNull();
    }

    /** A newer version may know more modes. */
    @Test
    void storedLeaseOfAnUnknownMode_isCountedAndKept() {
        String stored = new String(storedLease(), StandardCharsets.ISO_8859_1);
        rig.state.write(OTHER, stored.replace("BLOCK", "BLUSH").getBytes(StandardCharsets.ISO_8859_1));

        Rig next = new Rig(rig.state, rig.windows);

        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(next.state.read(OTHER)).isNotNull();
    }

    /** No version has written it, so none misses it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20, -1})
    void storedLeaseThatIsCutOff_isCountedAndRemoved(int length) {
        byte[] stored = storedLease();
        rig.state.write(OTHER, Arrays.copyOf(stored, Math.floorMod(length, stored.length)));

        Rig next = new Rig(rig.state, rig.windows);

        assertThat(next.task.locks()).isEqualTo(1);
        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(next.state.read(OTHER)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[\"\"]", "x"})
    void storedKeyOfNoLease_isCounted(String key) {
        rig.state.write(key.getBytes(StandardCharsets.UTF_8), storedLease());

        Rig next = new Rig(rig.state, rig.windows);

        assertThat(next.task.locks()).isEqualTo(1);
        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
    }

    /** Records of the store other than leases: keys, and values that are cut off. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"$epoch\"]",
                "[\"$newest-block\"]",
                "[\"$meter\",\"0\"]",
                "[\"$meter\",\"x\"]",
                "[\"$meter\",\"0\"",
                "[\"$offender\",\"p@0\",\"acme\"]"
            })
    void storedRecordThatIsDamaged_isCounted_andTheTaskGoesOn(String key) {
        rig.task.flush();
        rig.state.write(key.getBytes(StandardCharsets.UTF_8), new byte[] {1, 0, 0});

        Rig next = new Rig(rig.state, rig.windows);
        next.policies(above(60));
        next.admit("other", 61, TIME + 1_000);

        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(1);
        assertThat(next.task.locks()).isEqualTo(2);
    }

    /** Where it is not known, windows are looked for. */
    @Test
    void storedStartOfTheNewestBlockThatIsDamaged_losesNoWindow() {
        Rig first = Rig.with(above(60)).admit("acme", 60, TIME);
        first.task.flush();
        first.state.write(CompositeKey.bytes(List.of("$newest-block")), new byte[3]);
        first.state.write(CompositeKey.bytes(List.of("$epoch")), new byte[3]);

        Rig next = new Rig(first.state, first.windows);
        next.policies(above(60));
        next.admit("acme", 1, TIME + 1_000);

        assertThat(next.task.locks()).isEqualTo(1);
        assertThat(next.counts.of(Count.UNREADABLE)).isEqualTo(2);
    }

    private byte[] storedLease() {
        return Objects.requireNonNull(rig.state.read(CompositeKey.bytes(List.of("p", "acme"))));
    }

    @Test
    void whatWasDiscardedIsRestoredAtTheNextBeginning() {
        rig.task.flush();
        rig.task.discard();
        assertThat(rig.task.locks()).isZero();

        rig.task.begin(99);

        assertThat(rig.task.locks()).isEqualTo(1);
        assertThat(rig.task.storedEpoch()).isEqualTo(99);
    }

    @Test
    void heartbeatsAreNumberedWithTheLocks() {
        assertThat(rig.last().version().seq()).isZero();

        assertThat(rig.task
                        .heartbeat("host-1", TIME, Map.of("orders", 2), false, false, 0)
                        .version()
                        .seq())
                .isEqualTo(1);
    }
}
