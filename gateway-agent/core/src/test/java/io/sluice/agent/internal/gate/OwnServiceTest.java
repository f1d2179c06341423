package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Mode;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OwnServiceTest {
    private static final String OWN = policy("own", "\"match\":{\"service\":\"orders\"},", "");
    private static final String OTHER = policy("other", "\"match\":{\"service\":\"carts\"},", "");
    private static final String ANY = policy("any", "", "");
    private static final String CLOSES =
            policy("closes", "\"match\":{\"service\":\"carts\"},", ",\"closes\":{\"service\":\"orders\"}");

    private final GateHarness gates = GateHarness.ownServiceOnly();

    private static String policy(String name, String match, String more) {
        return "{\"name\":\"" + name + "\"," + match + "\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]" + more
                + "}}";
    }

    private long locks() {
        return gates.decisions.locks(gates.now());
    }

    @Test
    void lock_policyOfAnotherService_isNotHeld() {
        gates.policies(OWN, OTHER, ANY).fresh();

        gates.lock("other", "a", Mode.BLOCK);
        assertThat(locks()).isZero();

        gates.lock("own", "b", Mode.BLOCK);
        gates.lock("any", "c", Mode.BLOCK);
        assertThat(locks()).isEqualTo(2);
        assertThat(gates.asked("b")).isEqualTo("LOCKED by own");
        assertThat(gates.asked("c")).isEqualTo("LOCKED by any");
    }

    @Test
    void lock_thatClosesTheOwnService_isHeldWhateverItsPolicyMatches() {
        gates.policies(CLOSES).fresh();

        gates.lock("closes", "a", Mode.BLOCK);

        assertThat(gates.asked("a")).isEqualTo("LOCKED by closes");
    }

    @Test
    void lock_readBeforeItsPolicy_isDroppedWhenThePolicyIsRead() {
        gates.policies(OWN).fresh();
        gates.lock("other", "a", Mode.BLOCK);
        assertThat(locks()).isEqualTo(1);

        gates.policies(OWN, OTHER);

        assertThat(locks()).isZero();
    }

    @Test
    void lock_policyThatMovesToAnotherService_isDropped() {
        gates.policies(policy("other", "", "")).fresh();
        gates.lock("other", "a", Mode.BLOCK);

        gates.policies(OTHER);

        assertThat(locks()).isZero();
    }

    @Test
    void lock_ofAnOperator_isHeldForAnyService() {
        gates.policies(OTHER).fresh();

        gates.operator(gates.operatorLock("other", "a", Mode.BLOCK));

        assertThat(locks()).isEqualTo(1);
    }

    @Test
    void lock_agentThatChecksAnyService_isHeld() {
        GateHarness any = new GateHarness().policies(OTHER).fresh();

        any.lock("other", "a", Mode.BLOCK);

        assertThat(any.decisions.locks(any.now())).isEqualTo(1);
    }

    @Test
    void liveAgents_heartbeatWithSomeServices_keepsTheNumberOfTheOwn() {
        gates.fresh();
        assertThat(gates.decisions.liveAgents()).isEqualTo(2);

        heartbeat(Map.of("carts", 7), true);
        assertThat(gates.decisions.liveAgents()).isEqualTo(2);
        heartbeat(Map.of("orders", 3), true);
        assertThat(gates.decisions.liveAgents()).isEqualTo(3);
        heartbeat(Map.of("carts", 7), false);
        assertThat(gates.decisions.liveAgents()).isEqualTo(1);
    }

    private void heartbeat(Map<String, Integer> liveAgents, boolean part) {
        gates.decisions.gateRecord(
                0,
                new AnalyzerHeartbeat(gates.version(1), "a", 0, liveAgents, Map.of(), Map.of(), 0, true, part, false),
                gates.brokerNow(),
                gates.now());
    }
}
