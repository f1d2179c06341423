package io.sluice.agent.internal.gate;

import static io.sluice.agent.internal.gate.GateLocks.NOISY;
import static io.sluice.agent.internal.gate.GateLocks.block;
import static io.sluice.agent.internal.gate.GateLocks.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The locks of a policy: leases, versions and modes. */
final class LocksTest {
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
        gates.lock(block(gates, List.of("acme"), null, true));
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
    void aRejectionSaysWhenToComeAgain() {
        gates.lock("noisy", "acme", Mode.BLOCK);
        gates.forward(500);
        assertThat(((Verdict.Rejected) gates.check("acme")).retryAfterMillis()).isEqualTo(60_000);
        gates.forward(30_000);
        assertThat(((Verdict.Rejected) gates.check("acme")).retryAfterMillis()).isEqualTo(30_000);
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
