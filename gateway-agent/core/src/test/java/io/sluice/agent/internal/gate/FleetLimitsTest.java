package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits with {@code scope: fleet}: each agent admits an equal share. The harness's heartbeats name two live agents. */
final class FleetLimitsTest {
    private static String plans(String limit) {
        return ("{'name':'plans','per':['caller'],'limit':{" + limit + ",'scope':'fleet'}}").replace('\'', '"');
    }

    private final GateHarness gates = new GateHarness();

    private int admitted(String caller) {
        List<Verdict> held = new ArrayList<>();
        while (held.size() < 1000) {
            Verdict verdict = gates.check(caller);
            if (!verdict.allowed()) {
                break;
            }
            held.add(verdict);
        }
        held.forEach(Verdict::close);
        return held.size();
    }

    @ParameterizedTest
    @EnumSource(EveryAlgorithm.class)
    void everyAlgorithm_admitsHalfAmongTwoAgents(EveryAlgorithm algorithm) {
        gates.policies(algorithm.policy("plans", ",'scope':'fleet'")).fresh();
        assertThat(admitted("acme")).isEqualTo(1);
        assertThat(admitted("bolt")).isEqualTo(1);
    }

    @Test
    void rateAndBurst_areBothShared() {
        gates.policies(plans("'rate':'10/s','burst':20")).fresh();
        assertThat(admitted("acme")).isEqualTo(10);
        gates.forward(1000);
        assertThat(admitted("acme")).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"1, 20", "2, 10", "3, 6", "7, 2", "20, 1", "500, 1"})
    void share_isRoundedDownButNeverToNothing(int agents, int share) {
        gates.policies(plans("'algorithm':'fixed-window','rate':'20/h'")).fresh();
        gates.heartbeat(1, agents);
        assertThat(admitted("acme")).isEqualTo(share);
        assertThat(gates.check("bolt").quota()).extracting(Quota::limit).isEqualTo((long) share);
    }

    @Test
    void agentsThatJoinAndLeave_changeTheShareAtOnceAndUsedPermitsStayUsed() {
        gates.policies(plans("'algorithm':'sliding-log','rate':'12/m'")).fresh();
        assertThat(admitted("acme")).isEqualTo(6);
        gates.heartbeat(1, 4);
        assertThat(admitted("acme")).isZero();
        gates.forward(60_000);
        gates.heartbeat(1, 4);
        assertThat(admitted("acme")).isEqualTo(3);
        gates.heartbeat(1, 1);
        assertThat(admitted("acme")).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'rate':'600/m','burst':600", "'algorithm':'fixed-window','rate':'600/m'"})
    void permitsThatWereNotUsed_returnAlsoWhenTheShareHasChanged(String limit) {
        gates.policies(plans(limit).replace("\"limit\"", "\"measure\":\"cost\",\"limit\""))
                .fresh();
        gates.heartbeat(1, 1);
        Verdict reserved = gates.check("acme", 500);
        assertThat(reserved.allowed()).isTrue();
        gates.heartbeat(1, 2);
        assertThat(gates.check("acme", 1).allowed()).isFalse();
        reserved.settle(0);

        assertThat(gates.check("acme", 300).allowed()).isTrue();
        assertThat(gates.check("acme", 1).allowed()).isFalse();
    }

    @Test
    void beforeTheFirstHeartbeat_theAgentTakesItselfForTheOnlyOne() {
        gates.policies(plans("'rate':'1/h','burst':20"));
        assertThat(admitted("acme")).isEqualTo(20);
    }

    @Test
    void limitOfTheAgent_isNotShared() {
        gates.policies(plans("'rate':'1/h','burst':20").replace("fleet", "agent"))
                .fresh();
        assertThat(admitted("acme")).isEqualTo(20);
    }

    @Test
    void overrideOfTheFleet_isShared() {
        gates.policies(("{'name':'plans','per':['caller'],'limit':{'rate':'1/h','burst':20},'overrides':["
                                + "{'match':{'caller':'acme'},'limit':{'rate':'1/h','burst':40,'scope':'fleet'}}]}")
                        .replace('\'', '"'))
                .fresh();
        assertThat(admitted("acme")).isEqualTo(20);
        assertThat(admitted("bolt")).isEqualTo(20);
        gates.heartbeat(1, 8);
        gates.forward(100 * 3_600_000);
        gates.heartbeat(1, 8);
        gates.refresh();
        assertThat(admitted("acme")).isEqualTo(5);
        assertThat(admitted("bolt")).isEqualTo(20);
    }
}
