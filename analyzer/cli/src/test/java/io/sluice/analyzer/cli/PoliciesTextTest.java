package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.policy.PolicySet;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesTextTest {
    private static final long NOW = 1_763_700_000_000L;

    private final Agents counts = new Agents();
    private List<KillSwitches.Off> offs = List.of();

    private String table(PolicySet set) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        PoliciesText.table(set, counts, offs, NOW, out);
        out.flush();
        return text.toString();
    }

    private void heard(String agent, long append) {
        counts.heard(new AgentHeartbeat(agent, "s", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of(), Map.of()), append);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lock: { when: [{ above: 1 }] }                                                            | yes",
                "lock: { when: [{ above: 1 }], shadow: true }                                              | no, only reports",
                "lock: { when: [{ above: 1 }], mode: shadow }                                              | no, only reports",
                "limit: { rate: 1/s }                                                                      | yes",
                "limit: { rate: 1/s, shadow: true }                                                        | no, only reports",
                "lock: { when: [{ above: 1 }], shadow: true }, limit: { rate: 1/s }                        | yes",
                "limit: { rate: 1/s, shadow: true }, overrides: [{ match: { caller: a }, limit: { shadow: false } }] | yes",
            })
    void aPolicyThatOnlyReportsIsMarked(String rules, String rejects) {
        PolicySet set = TestPolicies.yaml("policies:\n  - { name: p, per: [caller], " + rules + " }\n");

        heard("a", NOW);

        assertThat(table(set)).containsPattern("p .* " + rejects + " +0 +0\n");
    }

    @Test
    void table_lock_showsItsThresholds() {
        PolicySet set = TestPolicies.yaml("""
                policies:
                  - { name: above, per: [caller], window: 10s, lock: { when: [{ above: 12000 }] } }
                  - { name: one, per: [caller], window: 10s, lock: { when: [{ above: 1 }] } }
                  - { name: share, per: [caller], window: 1m, lock: { when: [{ share: 0.4, of: [] }] } }
                """);

        assertThat(table(set))
                .containsPattern("above +\\[caller] +block .* over 12,000 requests in 10s +yes")
                .containsPattern("one +.* over 1 request in 10s +yes")
                .containsPattern("share +.* over 40 % of all requests in 1m +yes");
    }

    @Test
    void table_concurrency_showsWhatIsAdmittedAtOnce() {
        PolicySet set = TestPolicies.yaml("""
                policies:
                  - { name: fixed, per: [caller], limit: { algorithm: concurrency, max: 7 } }
                  - { name: adaptive, per: [caller], limit: { algorithm: concurrency, adaptive: { min: 4, max: 50 } } }
                """);

        assertThat(table(set)).containsPattern("fixed .* 7 at once").containsPattern("adaptive .* 4 to 50 at once");
    }

    @Test
    void aSetThatDoesNotEnforceOnlyReports() {
        PolicySet set =
                TestPolicies.yaml("enforce: false\npolicies:\n  - { name: p, per: [caller], limit: { rate: 1/s } }\n");

        assertThat(table(set)).contains("no, only reports").contains("enforce: false");
    }

    @Test
    void table_enforcementSwitchedOff_saysSoFirstAndInEveryRow() {
        offs = List.of(new KillSwitches.Off(null, "ann", "incident", NOW, NOW + 60_000));

        assertThat(table(TestPolicies.yaml("policies:\n  - { name: p, per: [caller], limit: { rate: 1/s } }\n")))
                .startsWith("! enforcement is off everywhere, by ann: incident; on again in 1m\n")
                .contains("no, switched off");
    }

    @Test
    void table_limitOfTheFleet_isNamedAsSuch() {
        PolicySet set =
                TestPolicies.yaml("policies:\n  - { name: p, per: [caller], limit: { rate: 90/s, scope: fleet } }\n");

        assertThat(table(set)).contains("90/1s, burst 90, over the fleet");
    }

    @Test
    void table_limitWithAStrategyOrAWarmUp_namesIt() {
        PolicySet set = TestPolicies.yaml("""
                policies:
                  - { name: all, per: [], limit: { rate: 90/s, scope: fleet, strategy: redis } }
                  - { name: one, per: [caller], limit: { rate: 9/s, scope: fleet, strategy: redis, under: all } }
                  - { name: cold, per: [], limit: { rate: 9/s, warmUp: 1m } }
                """);

        assertThat(table(set))
                .contains("90/1s, burst 90, over the fleet by redis")
                .contains("9/1s, burst 9, over the fleet by redis, under all")
                .contains("9/1s, burst 9, warms up in 1m");
    }

    @Test
    void withoutAgentsTheCountsAreSaidToBeUnknown() {
        PolicySet set = TestPolicies.yaml("policies:\n  - { name: p, per: [caller], limit: { rate: 1/s } }\n");

        assertThat(table(set))
                .containsPattern("p .* yes +- +-\n")
                .contains("rejections are unknown: no agent sent a heartbeat");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "14000 | reported by the one agent alive",
                "15000 | reported by the one agent alive",
                "16000 | reported by the one agent alive 16s ago; no heartbeat since",
            })
    void agentsThatWereHeardOfLongAgoAreSaidToBe(long age, String told) {
        heard("a", NOW - age);

        assertThat(table(TestPolicies.yaml("policies:\n  - { name: p, per: [caller], limit: { rate: 1/s } }\n")))
                .contains(told + "\n");
    }

    @Test
    void heldBack_tellsTheMarkOrWhyThereIsNone() {
        PolicySet set = TestPolicies.yaml("""
                policies:
                  - { name: above, per: [caller], window: 10s, lock: { when: [{ above: 12000 }] } }
                  - { name: values, per: [ip], window: 1m, measure: { distinct: caller }, lock: { when: [{ above: 500 }] } }
                  - { name: time, per: [caller], window: 1m, measure: millis, lock: { when: [{ above: 3000 }] } }
                  - { name: spike, per: [caller], window: 1m, lock: { when: [{ spike: 5, baseline: 2h, floor: 10 }] } }
                  - { name: limit, per: [caller], limit: { rate: 1/s } }
                """);
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        PoliciesText.heldBack(set, out);
        out.flush();

        assertThat(text.toString())
                .containsPattern(
                        "above +below 6,000 requests in 10s, divided by the partitions that can hold a subject")
                .containsPattern("values +below 64 ")
                .containsPattern("time +below 1,500 ")
                .containsPattern("spike +nothing: a baseline, a debt or service times need every request")
                .doesNotContain("limit");
    }
}
