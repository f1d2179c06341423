package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.testing.Seeds;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Policies of the same {@code per} need no look-up while the gate of a limited subject records that they have no lock on it. */
final class HomeGateTest {
    private static final String NOISY = lock("noisy", "caller");
    private static final String LOUD = lock("loud", "caller");
    private static final String BY_ROUTE = lock("by-route", "caller\",\"route");
    private static final String PLANS =
            "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1000000/s\",\"burst\":1000000000}}";

    private final GateHarness gates = new GateHarness();

    private static String lock(String name, String per) {
        return "{\"name\":\"" + name + "\",\"per\":[\"" + per + "\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    }

    /** Makes the caller's gate, and lets it record that no other policy has a lock. */
    private void recordUnlocked(String caller) {
        gates.lock("noisy", "other", Mode.BLOCK);
        for (int i = 0; i < 3; i++) {
            assertThat(gates.asked(caller)).isEqualTo("allowed");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCK", "SHED", "THROTTLE"})
    void lock_afterTheGateRecordedThatThereIsNone_isApplied(Mode mode) {
        gates.policies(NOISY, LOUD, PLANS).fresh();
        recordUnlocked("acme");

        gates.lock("loud", "acme", mode);

        int rejected = 0;
        for (int i = 0; i < 10; i++) {
            rejected += gates.allows("acme") ? 0 : 1;
        }
        assertThat(rejected).isEqualTo(mode == Mode.THROTTLE ? 8 : 10);
    }

    @Test
    void release_opensAgain_andTheNextLockIsApplied() {
        gates.policies(NOISY, PLANS).fresh();
        recordUnlocked("acme");
        for (int i = 0; i < 3; i++) {
            gates.lock("noisy", "acme", Mode.BLOCK);
            assertThat(gates.asked("acme")).isEqualTo("LOCKED by noisy");
            gates.lock(gates.lockOf("noisy", "acme", Mode.OPEN, 0, gates.version(1)));
            assertThat(gates.asked("acme")).isEqualTo("allowed");
            assertThat(gates.asked("acme")).isEqualTo("allowed");
        }
    }

    @Test
    void operatorsLock_afterTheGateRecordedThatThereIsNone_isApplied() {
        gates.policies(NOISY, PLANS).fresh();
        recordUnlocked("acme");
        gates.operator(gates.operatorLock("noisy", "acme", Mode.BLOCK));
        assertThat(gates.asked("acme")).isEqualTo("LOCKED by noisy");
    }

    @Test
    void newPolicyWhoseLockWaited_isApplied() {
        gates.policies(NOISY, PLANS).fresh();
        gates.lock("loud", "acme", Mode.BLOCK);
        recordUnlocked("acme");

        gates.policies(NOISY, PLANS, LOUD);

        assertThat(gates.asked("acme")).isEqualTo("LOCKED by loud");
    }

    @Test
    void lockByOtherAttributes_isAlwaysLookedUp() {
        gates.policies(PLANS, BY_ROUTE, NOISY).fresh();
        recordUnlocked("acme");
        gates.lock(new GateLock(
                "by-route",
                List.of("acme", "/a"),
                Mode.BLOCK,
                0,
                0,
                60_000,
                gates.brokerNow(),
                gates.brokerNow() + 60_000,
                1,
                false,
                false,
                null,
                gates.version(1)));
        for (int i = 0; i < 3; i++) {
            Verdict there = gates.check(Request.of("acme").route("/a").build());
            Verdict elsewhere = gates.check(Request.of("acme").route("/b").build());
            assertThat(there.allowed()).isFalse();
            assertThat(elsewhere.allowed()).isTrue();
        }
    }

    /** A check that begins after a lock was applied, or a policy put in force, rejects, whatever other threads recorded meanwhile. */
    @Tag(Seeds.TAG)
    @Test
    void locksAndPoliciesThatArriveWhileOthersCheck_areAppliedAtOnce() throws Exception {
        gates.policies(NOISY, PLANS).fresh();
        recordUnlocked("acme");
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService others = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> checks = List.of(others.submit(() -> check(done)), others.submit(() -> check(done)));
            for (int i = 0; i < Seeds.of(1_000, 5_000); i++) {
                boolean policy = i % 4 == 0;
                if (policy) {
                    gates.lock("loud", "acme", Mode.BLOCK);
                    gates.policies(NOISY, PLANS, LOUD);
                } else {
                    gates.lock("noisy", "acme", Mode.BLOCK);
                }
                assertThat(gates.allows("acme")).as("round %d", i).isFalse();
                String name = policy ? "loud" : "noisy";
                gates.lock(gates.lockOf(name, "acme", Mode.OPEN, 0, gates.version(1)));
                gates.policies(NOISY, PLANS);
                assertThat(gates.allows("acme")).as("round %d", i).isTrue();
            }
            done.set(true);
            for (Future<?> each : checks) {
                each.get();
            }
        } finally {
            done.set(true);
            others.shutdown();
        }
    }

    private void check(AtomicBoolean done) {
        while (!done.get()) {
            gates.check("acme");
        }
    }
}
