package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class LocksTest {
    private static final String NOISY = policy("noisy", "");

    private static String policy(String name, String more) {
        return "{\"name\":\"" + name + "\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]" + more + "}}";
    }

    private final GateHarness gates = new GateHarness().policies(NOISY).fresh();

    @Test
    void aBlockRejectsItsSubject() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by noisy");
    }

    @Test
    void aBlockRejectsNobodyElse() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.asked("bolt")).isEqualTo("allowed");
    }

    @Test
    void aLockEndsWithItsLeaseWithoutAnybodySayingSo() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.forward(59_999);
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(1);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aLockLongerThanTheLongestLeaseEndsWithThat() {
        gates.lock(gates.lockOf("noisy", "acme", Mode.BLOCK, 10 * GateHarness.MAX_LEASE, gates.version(1)));
        gates.forward(GateHarness.MAX_LEASE - 1);
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(1);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aReleaseOpens() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.lock(gates.lockOf("noisy", "acme", Mode.OPEN, 0, gates.version(1)));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOlderVersionNeverReplacesANewerOne() {
        GateLock older = gates.lockOf("noisy", "acme", Mode.BLOCK, 60_000, new Version("decide-0", 1, 100));
        GateLock newer = gates.lockOf("noisy", "acme", Mode.OPEN, 0, new Version("decide-0", 1, 101));
        gates.lock(newer);
        gates.lock(older);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aZombiesLockIsDroppedAndCounted() {
        gates.heartbeat(2);
        gates.lock(gates.lockOf("noisy", "acme", Mode.BLOCK, 60_000, new Version("decide-0", 1, 999)));
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.decisions.counts().fenced()).isEqualTo(1);
    }

    @Test
    void aZombiesHeartbeatDoesNotFreshen() {
        gates.heartbeat(2);
        gates.forward(6_000);
        gates.heartbeat(1);
        gates.refresh();
        assertThat(gates.decisions.freshness()).isEqualTo(Freshness.STALE);
    }

    @Test
    void policies_countByOtherAttributes_theLockRejectsNobodyElse() {
        gates.decisions.gateRecord(0, per(List.of("caller"), "acme"), gates.brokerNow(), gates.now());
        assertThat(gates.allows("acme")).isFalse();

        // the agent's service is called orders, and every call of it would be the locked caller's
        gates.decisions.gateRecord(0, per(List.of("caller"), "orders"), gates.brokerNow(), gates.now());
        gates.policies("{\"name\":\"noisy\",\"per\":[\"service\"],\"lock\":{\"when\":[{\"above\":1}]}}");

        assertThat(gates.allows("zen")).isTrue();
        assertThat(gates.decisions.counts().misfits()).isEqualTo(2);
        assertThat(gates.decisions.locks(gates.now())).isZero();
    }

    @Test
    void gateRecord_ofOtherAttributes_waitsForItsPolicy() {
        gates.decisions.gateRecord(0, per(List.of("service"), "orders"), gates.brokerNow(), gates.now());
        assertThat(gates.allows("orders")).isTrue();

        gates.policies("{\"name\":\"noisy\",\"per\":[\"service\"],\"lock\":{\"when\":[{\"above\":1}]}}");

        assertThat(gates.allows("zen")).isFalse();
    }

    @Test
    void operatorLock_ofOtherAttributes_rejectsNobodyElse() {
        OperatorRecord.Lock lock = new OperatorRecord.Lock(
                "noisy", List.of("orders"), List.of("caller"), Mode.BLOCK, 0, 60_000, "ann", "why", 1);
        gates.decisions.operator(lock, gates.brokerNow(), gates.now());
        gates.policies("{\"name\":\"noisy\",\"per\":[\"service\"],\"lock\":{\"when\":[{\"above\":1}]}}");

        assertThat(gates.allows("zen")).isTrue();
    }

    @Test
    void policies_backAgain_bothDecisionsAreObeyed() {
        OperatorRecord.Release release =
                new OperatorRecord.Release("noisy", List.of("acme"), List.of("service"), 60_000, "ann", "why", 1);
        gates.decisions.gateRecord(0, per(List.of("caller"), "acme"), gates.brokerNow(), gates.now());
        gates.decisions.operator(release, gates.brokerNow(), gates.now());
        assertThat(gates.allows("acme")).isFalse();

        gates.policies("{\"name\":\"noisy\",\"per\":[\"service\"],\"lock\":{\"when\":[{\"above\":1}]}}");
        gates.policies("{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":1}]}}");

        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void gateRecord_ofAnEarlierVersion_meansWhateverThePolicyCountsBy() {
        gates.policies("{\"name\":\"noisy\",\"per\":[\"service\"],\"lock\":{\"when\":[{\"above\":1}]}}");
        gates.lock("noisy", "orders", Mode.BLOCK);

        assertThat(gates.allows("zen")).isFalse();
    }

    private GateLock per(List<String> per, String subject) {
        return block(List.of(subject), per, false);
    }

    /** A lock of a minute by {@code noisy}. */
    private GateLock block(List<String> subject, @Nullable List<String> per, boolean guarded) {
        GateLock lock = gates.lockOf("noisy", subject.get(0), Mode.BLOCK, 60_000, gates.version(1));
        return new GateLock(
                lock.policy(),
                subject,
                per,
                lock.mode(),
                0,
                0,
                lock.ttlMillis(),
                lock.since(),
                lock.until(),
                1,
                false,
                guarded,
                null,
                lock.version());
    }

    @Test
    void anUnknownModeReportsAndIsCounted() {
        gates.lock("noisy", "acme", Mode.UNKNOWN);
        assertThat(gates.asked("acme")).isEqualTo("allowed");
        assertThat(gates.decisions.counts().unknownModes()).isEqualTo(1);
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("noisy", 1L);
    }

    @Test
    void aShadowLockCountsWhatItWouldHaveRejected() {
        gates.lock("noisy", "acme", Mode.SHADOW);
        gates.check("acme");
        gates.check("acme");
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("noisy", 2L);
        assertThat(gates.decisions.counts().rejections(false)).containsEntry("noisy", 0L);
    }

    @Test
    void aGuardedLockOnlyReports() {
        gates.lock(block(List.of("acme"), null, true));
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("noisy", 1L);
    }

    @Test
    void aPolicyThatBecomesAShadowStopsItsLocksAtOnce() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.policies(policy("noisy", ",\"shadow\":true"));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aThrottleGivesThisAgentsPartOfTheRate() {
        // four a second over two agents
        gates.lock("noisy", "acme", Mode.THROTTLE);
        int allowed = 0;
        for (int i = 0; i < 100; i++) {
            allowed += gates.allows("acme") ? 1 : 0;
        }
        assertThat(allowed).isEqualTo(2);
        gates.forward(500);
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by noisy");
    }

    @Test
    void aRenewedThrottleKeepsItsBucket() {
        gates.lock("noisy", "acme", Mode.THROTTLE);
        gates.allows("acme");
        gates.allows("acme");
        gates.lock("noisy", "acme", Mode.THROTTLE);
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void shedRejectsItsRatio() {
        gates.lock("noisy", "acme", Mode.SHED);
        assertThat(gates.asked("acme")).isEqualTo("SHED by noisy");
    }

    @Test
    void aLockClosesOnlyWhatItsPolicyCloses() {
        gates.policies("{\"name\":\"noisy\",\"per\":[\"caller\"],\"match\":{\"route\":\"/a\",\"status\":401},"
                + "\"lock\":{\"when\":[{\"above\":10}],\"closes\":{\"route\":\"/b\"}}}");
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.check(Request.of("acme").route("/a").build()).allowed())
                .isTrue();
        assertThat(gates.check(Request.of("acme").route("/b").build()).allowed())
                .isFalse();
    }

    @Test
    void aPolicyThatIsAsItWasIsLeftAloneHoweverManyLocksItHas() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        GatePolicy before = gates.decisions.rules().policies().get(0);

        gates.policies(NOISY, policy("other", ""));

        assertThat(gates.decisions.rules().policies()).hasSize(2).first().isSameAs(before);
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by noisy");
    }

    @Test
    void aLockOfAnUnknownPolicyWaitsForIt() {
        gates.lock("later", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isTrue();
        gates.policies(NOISY, policy("later", ""));
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by later");
    }

    @Test
    void aRemovedPolicyOpensItsLocks() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.policies(policy("other", ""));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aLockOnASubjectOfAnotherShapeIsNotApplied() {
        gates.policies("{\"name\":\"noisy\",\"per\":[\"caller\",\"route\"],\"lock\":{\"when\":[{\"above\":10}]}}");
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.check(Request.of("acme").route("/a").build()).allowed())
                .isTrue();
    }

    @Test
    void aSubjectOfTwoValuesIsFoundByBoth() {
        gates.policies("{\"name\":\"noisy\",\"per\":[\"caller\",\"route\"],\"lock\":{\"when\":[{\"above\":10}]}}");
        gates.lock(block(List.of("acme", "/a"), null, false));
        assertThat(gates.check(Request.of("acme").route("/a").build()).allowed())
                .isFalse();
        assertThat(gates.check(Request.of("acme").route("/b").build()).allowed())
                .isTrue();
        assertThat(gates.check(Request.of("acme").build()).allowed()).isTrue();
    }

    @Test
    void aRejectionSaysWhenToComeAgain() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.forward(500);
        assertThat(((Verdict.Rejected) gates.check("acme")).retryAfterMillis()).isEqualTo(60_000);
        gates.forward(30_000);
        assertThat(((Verdict.Rejected) gates.check("acme")).retryAfterMillis()).isEqualTo(30_000);
    }

    // --- precedence

    @ParameterizedTest
    @CsvSource({
        "BLOCK, SHED, one", "BLOCK, THROTTLE, one", "BLOCK, SHADOW, one", "SHED, THROTTLE, one",
        "SHED, SHADOW, one", "SHED, BLOCK, two", "SHADOW, BLOCK, two", "THROTTLE, BLOCK, two",
    })
    void theStricterModeIsNamed(Mode first, Mode second, String named) {
        gates.policies(policy("one", ""), policy("two", ""));
        gates.lock("one", "acme", first);
        gates.lock("two", "acme", second);
        assertThat(gates.asked("acme")).endsWith(" by " + named);
    }

    @Test
    void ofTwoBlocksTheOneThatEndsLaterIsNamed() {
        gates.policies(policy("one", ""), policy("two", ""));
        gates.lock(gates.lockOf("one", "acme", Mode.BLOCK, 10_000, gates.version(1)));
        gates.lock(gates.lockOf("two", "acme", Mode.BLOCK, 20_000, gates.version(1)));
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by two");
    }

    @Test
    void anOperatorsReleaseOutranksTheAnalyzer() {
        gates.operator(gates.release("noisy", "acme"));
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOperatorsReleaseEndsWithItsTtl() {
        gates.operator(gates.release("noisy", "acme"));
        gates.forward(60_000);
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void anOperatorsLockClosesWithoutTheAnalyzer() {
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by noisy");
    }

    @Test
    void anOperatorsThrottleOutranksTheAnalyzersBlock() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(gates.operatorLock("noisy", "acme", Mode.THROTTLE));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOperatorsLockHoldsOnAPolicyThatOnlyReports() {
        gates.policies(policy("noisy", ",\"shadow\":true"));
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void aDeletedOperatorRecordLeavesTheAnalyzersWord() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(gates.release("noisy", "acme"));
        gates.decisions.operatorDeleted(List.of("noisy", "acme"), gates.now());
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void whatIsAllowedOutranksAnOperatorsLock() {
        gates.decisions.policies(GateHarness.set("{\"allow\":[{\"caller\":\"ac*\"}],\"policies\":[" + NOISY + "]}"));
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void whatWasAllowedUntilAMomentIsNotAllowedThen() {
        gates.decisions.policies(
                GateHarness.set("{\"allow\":[{\"caller\":\"acme\",\"until\":\"2025-11-21T04:25:00Z\"}],"
                        + "\"policies\":[" + NOISY + "]}"));
        gates.lock("noisy", "acme", Mode.BLOCK);
        // the wall clock stands at 04:23:21
        assertThat(gates.allows("acme")).isTrue();
        gates.decisions.refresh(gates.now(), GateHarness.WALL + 100_000);
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void theKillSwitchForAllOutranksEverything() {
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        gates.operator(new OperatorRecord.Enforce(null, false, 0, "ann", "panic", 0));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void theKillSwitchForThisAgentIsEnough() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(new OperatorRecord.Enforce(null, true, 0, "ann", "all on", 0));
        gates.operator(new OperatorRecord.Enforce("agent-1", false, 0, "ann", "not this one", 0));
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void theKillSwitchForAnotherAgentIsNotOurs() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(new OperatorRecord.Enforce("agent-2", false, 0, "ann", "the other", 0));
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void theKillSwitchIsBackOnAfterItsTtl() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.operator(new OperatorRecord.Enforce(null, false, 10_000, "ann", "a moment", 0));
        assertThat(gates.allows("acme")).isTrue();
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void noOperatorTurnsAConfiguredOffOn() {
        GateHarness off = new GateHarness(false, 10).policies(NOISY).fresh();
        off.lock("noisy", "acme", Mode.BLOCK);
        off.operator(new OperatorRecord.Enforce(null, true, 0, "ann", "on", 0));
        assertThat(off.allows("acme")).isTrue();
    }

    @Test
    void aSetThatDoesNotEnforceOnlyReports() {
        gates.decisions.policies(GateHarness.set("{\"enforce\":false,\"policies\":[" + NOISY + "]}"));
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isTrue();
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("noisy", 1L);
    }

    // --- cold and stale

    @Test
    void locksOfUnknownAgeAreNotAppliedWhileCold() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.lock("noisy", "acme", Mode.BLOCK);
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.COLD);
        assertThat(cold.allows("acme")).isTrue();
    }

    @Test
    void anOldHeartbeatReadAtBootstrapDoesNotMakeFresh() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.heartbeat(1);
        cold.decisions.caughtUp();
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.COLD);
    }

    @Test
    void withOurOwnHeartbeatTheAgeOfAnOldOneIsKnown() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.heartbeat(1);
        cold.decisions.caughtUp();
        cold.decisions.anchored(cold.brokerNow() + 60_000, cold.now());
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.STALE);
        assertThat(cold.decisions.heartbeatAges(cold.now())).containsEntry("decide-0", 60_000L);
    }

    @Test
    void aHeartbeatThatComesLiveMakesFreshWithoutOurOwn() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.FRESH);
    }

    @Test
    void anOperatorsLockThatEndedLongAgoIsNotAppliedWhenOnlyTheAnalyzerIsHeard() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.decisions.operator(
                cold.operatorLock("noisy", "acme", Mode.BLOCK), cold.brokerNow() - 3_600_000, cold.now());
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.FRESH);
        assertThat(cold.allows("acme")).isTrue();
    }

    @Test
    void aKillSwitchThatEndedLongAgoIsOnWhenOnlyTheAnalyzerIsHeard() {
        GateHarness cold = new GateHarness().policies(NOISY);
        cold.decisions.operator(
                new OperatorRecord.Enforce(null, false, 60_000, "ann", "test", 0),
                cold.brokerNow() - 3_600_000,
                cold.now());
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.enforcing()).isTrue();
    }

    @Test
    void aLockThatEndedLongAgoIsNotAppliedWhenOnlyAnotherPartitionIsHeard() {
        GateHarness cold = new GateHarness().policies(NOISY);
        GateLock old = cold.lockOf("noisy", "acme", Mode.BLOCK, 60_000, new Version("decide-1", 1, 1));
        cold.decisions.gateRecord(1, old, cold.brokerNow() - 3_600_000, cold.now());
        cold.decisions.caughtUp();
        cold.heartbeat(1);
        cold.refresh();
        assertThat(cold.decisions.freshness()).isEqualTo(Freshness.FRESH);
        assertThat(cold.allows("acme")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"4999, FRESH", "5000, FRESH", "5001, STALE"})
    void silenceMakesStale(long silence, Freshness expected) {
        gates.forward(silence);
        gates.refresh();
        assertThat(gates.decisions.freshness()).isEqualTo(expected);
    }

    @Test
    void aPartitionThatNobodySpeaksOnMakesStale() {
        gates.decisions.partitions(2);
        gates.refresh();
        assertThat(gates.decisions.freshness()).isEqualTo(Freshness.STALE);
        assertThat(gates.decisions.reasons(gates.now()))
                .extracting(Reason::text)
                .contains("no analyzer task was heard on partition 1");
    }

    @Test
    void locksRunToTheirEndWhileStale() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(50_000);
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void aPolicyThatAllowsWhenDegradedLetsItsLockedCallersPassWhileStale() {
        gates.policies(policy("noisy", ",\"onDegraded\":\"allow\""));
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isTrue();
    }

    @Test
    void anOperatorsLockHoldsEvenThen() {
        gates.policies(policy("noisy", ",\"onDegraded\":\"allow\""));
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.allows("acme")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"COLD", "STALE"})
    void aPolicyThatDeniesWhenDegradedRejectsWhatItWouldClose(Freshness freshness) {
        String deny = "{\"name\":\"strict\",\"per\":[\"caller\"],\"match\":{\"caller\":\"a*\"},"
                + "\"lock\":{\"when\":[{\"above\":10}],\"onDegraded\":\"deny\"}}";
        GateHarness degraded = new GateHarness().policies(deny);
        if (freshness == Freshness.STALE) {
            degraded.stale();
        }
        assertThat(degraded.decisions.freshness()).isEqualTo(freshness);
        assertThat(degraded.asked("acme")).isEqualTo("LOCKED by strict");
        assertThat(degraded.asked("bolt")).isEqualTo("allowed");
        assertThat(new GateHarness().policies(deny).fresh().asked("acme")).isEqualTo("allowed");
    }

    private static final String OVERRIDDEN = "{\"name\":\"noisy\",\"per\":[\"caller\"],"
            + "\"lock\":{\"when\":[{\"above\":10}]%s},"
            + "\"overrides\":[{\"match\":{\"caller\":\"a*\"},\"lock\":{%s}}]}";

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "'',                            \"onDegraded\":\"allow\", allowed,         LOCKED by noisy",
                "`,\"onDegraded\":\"allow\"`, \"onDegraded\":\"local\", LOCKED by noisy, allowed"
            })
    void anOverrideDecidesWhetherLocksHoldWhileStale(String own, String override, String acme, String bolt) {
        gates.policies(OVERRIDDEN.formatted(own.replace("'", ""), override));
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.lock("noisy", "bolt", Mode.BLOCK);
        assertThat(gates.allows("acme")).isFalse();
        gates.forward(10_000);
        gates.refresh();
        assertThat(gates.asked("acme")).isEqualTo(acme);
        assertThat(gates.asked("bolt")).isEqualTo(bolt);
    }

    @ParameterizedTest
    @EnumSource(names = {"COLD", "STALE"})
    void anOverrideDecidesWhetherAPolicyDeniesWhenDegraded(Freshness freshness) {
        GateHarness degraded = new GateHarness().policies(OVERRIDDEN.formatted("", "\"onDegraded\":\"deny\""));
        if (freshness == Freshness.STALE) {
            degraded.stale();
        }
        assertThat(degraded.asked("acme")).isEqualTo("LOCKED by noisy");
        assertThat(degraded.asked("bolt")).isEqualTo("allowed");
        degraded.policies(OVERRIDDEN.formatted(",\"onDegraded\":\"deny\"", "\"shadow\":true"));
        assertThat(degraded.asked("acme")).isEqualTo("allowed");
        assertThat(degraded.wouldReject("noisy")).isEqualTo(1);
        assertThat(degraded.asked("bolt")).isEqualTo("LOCKED by noisy");
    }

    @ParameterizedTest
    @EnumSource(names = {"COLD", "STALE"})
    void aPolicyThatDeniesWhenDegradedDoesNotConcernRequestsWithoutASubject(Freshness freshness) {
        GateHarness degraded = new GateHarness()
                .policies(NOISY.replace("\"caller\"", "\"labels.tenant\"")
                        .replace("[{\"above\":10}]", "[{\"above\":10}],\"onDegraded\":\"deny\""));
        if (freshness == Freshness.STALE) {
            degraded.stale();
        }
        Request tenant =
                Request.of("acme").service("orders").label("tenant", "t1").build();
        assertThat(degraded.check(tenant).allowed()).isFalse();
        assertThat(degraded.asked("acme")).isEqualTo("allowed");
    }

    @Test
    void whatIsOverIsLetGo() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        assertThat(gates.decisions.locks(gates.now())).isEqualTo(1);
        gates.forward(60_000);
        gates.decisions.tidy(gates.now());
        assertThat(gates.decisions.gates()).isZero();
    }
}
