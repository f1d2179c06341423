package io.sluice.agent.internal.gate;

import static io.sluice.agent.internal.gate.GateLocks.NOISY;
import static io.sluice.agent.internal.gate.GateLocks.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The subjects and requests that a lock closes, by the attributes that its policy counts by. */
final class LockSubjectsTest {
    private final GateHarness gates = new GateHarness().policies(NOISY).fresh();

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
        return block(gates, List.of(subject), per, false);
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
        gates.lock(block(gates, List.of("acme", "/a"), null, false));
        assertThat(gates.check(Request.of("acme").route("/a").build()).allowed())
                .isFalse();
        assertThat(gates.check(Request.of("acme").route("/b").build()).allowed())
                .isTrue();
        assertThat(gates.check(Request.of("acme").build()).allowed()).isTrue();
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
}
