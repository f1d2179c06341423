package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a listener is told of locks and policies. */
final class ReactionTest {
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";

    private final GateHarness gates = new GateHarness().policies(NOISY).fresh();
    private final List<String> told = new ArrayList<>();

    private void listen() {
        gates.decisions.listen(new DecisionListener() {
            @Override
            public void policies(PolicySet policies) {
                told.add("policies "
                        + policies.policies().stream().map(Policy::name).toList());
            }

            @Override
            public void applied(long crossed, long decided, long applied) {
                told.add("applied " + (decided - crossed) + " " + (applied - decided));
            }
        });
        told.clear();
    }

    private GateLock lock(Mode mode) {
        long now = gates.brokerNow();
        Evidence why = mode == Mode.OPEN
                ? null
                : new Evidence("above", 20, 10, "requests", 60_000, 20, 0, now - 50, now - 20, "r");
        return new GateLock(
                "noisy",
                List.of("acme"),
                mode,
                0,
                0,
                60_000,
                now,
                now + 60_000,
                1,
                false,
                false,
                why,
                gates.version(1));
    }

    @Test
    void policiesInForceAreToldAtOnceAndEachTimeTheyChange() {
        listen();
        gates.decisions.listen(new DecisionListener() {
            @Override
            public void policies(PolicySet policies) {
                told.add("second " + policies.policies().size());
            }
        });
        gates.policies(NOISY, NOISY.replace("noisy", "other"));

        assertThat(told).containsExactly("second 1", "policies [noisy, other]", "second 2");
    }

    @Test
    void lockThatItsPolicyDoesNotObey_isNotReportedAsApplied() {
        gates.policies(NOISY.replace("[\"caller\"]", "[\"caller\",\"route\"]"));
        told.clear();
        listen();

        gates.lock(lock(Mode.BLOCK));

        assertThat(told).filteredOn(what -> what.startsWith("applied")).isEmpty();
        assertThat(gates.decisions.counts().misfits()).isEqualTo(1);
    }

    @Test
    void aNewLockIsToldOnceHoweverOftenItIsWrittenAgain() {
        listen();

        gates.lock(lock(Mode.BLOCK));
        gates.forward(20_000);
        gates.lock(lock(Mode.BLOCK));

        assertThat(told).containsExactly("applied 30 20");
    }

    @Test
    void aLockAfterAReleaseIsNew() {
        listen();

        gates.lock(lock(Mode.BLOCK));
        gates.lock(lock(Mode.OPEN));
        gates.lock(lock(Mode.BLOCK));

        assertThat(told).hasSize(2);
    }

    @Test
    void aLockAfterOneThatRanOutIsNew() {
        listen();

        gates.lock(lock(Mode.BLOCK));
        gates.forward(60_001);
        gates.lock(lock(Mode.BLOCK));

        assertThat(told).hasSize(2);
    }

    @Test
    void whatAListenerThrowsKeepsNoLockFromHolding() {
        gates.decisions.listen(new DecisionListener() {
            @Override
            public void applied(long crossed, long decided, long applied) {
                throw new IllegalStateException("not today");
            }
        });

        gates.lock(lock(Mode.BLOCK));

        assertThat(gates.allows("acme")).isFalse();
        assertThat(gates.decisions.reasons(gates.now()))
                .extracting(Reason::text)
                .contains("a listener of the agent fails");
    }
}
