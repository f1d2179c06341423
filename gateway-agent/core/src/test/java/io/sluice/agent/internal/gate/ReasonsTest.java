package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonsTest {
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    private static final String PLANS =
            "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}";

    private static List<AgentReason> reasons(GateHarness gate) {
        return gate.decisions.reasons(gate.now()).stream().map(Reason::code).toList();
    }

    @Test
    void reasons_workingAgent_none() {
        assertThat(reasons(new GateHarness().policies(NOISY).fresh())).isEmpty();
    }

    @Test
    void reasons_beforeTheTopicsAreRead_doNotNameMissingPolicies() {
        assertThat(reasons(new GateHarness())).containsExactly(AgentReason.TOPICS_UNREAD, AgentReason.ANALYZER_SILENT);
        assertThat(reasons(new GateHarness().fresh())).containsExactly(AgentReason.NO_POLICIES);
    }

    @Test
    void reasons_silentAnalyzer() {
        assertThat(reasons(new GateHarness().policies(NOISY).stale())).containsExactly(AgentReason.ANALYZER_SILENT);
    }

    @Test
    void reasons_enforcementOff_differBySettingAndOperator() {
        GateHarness gate = new GateHarness(false, 1000).policies(NOISY).fresh();

        assertThat(reasons(gate)).containsExactly(AgentReason.OFF_BY_SETTING);
        gate.operator(new OperatorRecord.Enforce("agent-1", false, 60_000, "ann", "test", 0));
        assertThat(reasons(gate)).containsExactly(AgentReason.OFF_BY_SETTING, AgentReason.OFF_BY_OPERATOR);
        gate.forward(60_001);
        assertThat(reasons(gate)).doesNotContain(AgentReason.OFF_BY_OPERATOR);
    }

    @Test
    void reasons_leaseBeyondMaxLease_untilItWouldHaveEnded() {
        GateHarness gate = new GateHarness().policies(NOISY).fresh();
        long ttl = GateHarness.MAX_LEASE + 1;

        gate.lock(gate.lockOf("noisy", "acme", Mode.BLOCK, GateHarness.MAX_LEASE, gate.version(1)));
        assertThat(reasons(gate)).isEmpty();
        gate.lock(gate.lockOf("noisy", "bolt", Mode.BLOCK, ttl, gate.version(1)));
        assertThat(reasons(gate)).containsExactly(AgentReason.LEASES_CUT);
        gate.forward(ttl - 1);
        assertThat(reasons(gate)).contains(AgentReason.LEASES_CUT);
        gate.forward(1);
        assertThat(reasons(gate)).doesNotContain(AgentReason.LEASES_CUT);
    }

    @Test
    void reasons_fullTable_andUnknownModes() {
        GateHarness gate = new GateHarness(true, 1).policies(PLANS, NOISY).fresh();

        gate.check("acme");
        gate.lock("noisy", "bolt", Mode.UNKNOWN);

        assertThat(reasons(gate)).containsExactly(AgentReason.TABLE_FULL, AgentReason.MODES_UNKNOWN);
    }
}
