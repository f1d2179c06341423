package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class StrategiesTextTest {
    private static String text(String policies) {
        StringWriter out = new StringWriter();
        StrategiesText.print(TestPolicies.yaml(policies), new PrintWriter(out, true));
        return out.toString().strip();
    }

    @Test
    void strategyOfALimit_isExplained() {
        assertThat(text("""
                policies:
                  - { name: all, per: [], limit: { rate: 90/s, scope: fleet, strategy: redis, onDegraded: deny } }
                  - { name: own, per: [caller], limit: { rate: 9/s } }
                """))
                .isEqualTo("all: counted over the fleet by the strategy redis, which each request asks and waits for,"
                        + " up to agent.quota.wait; while it does not answer requests are rejected");
    }

    @Test
    void algorithmThatTheStoreCannotApply_isAWarning_alsoOfAnOverride() {
        assertThat(text("""
                policies:
                  - name: logins
                    per: [caller]
                    limit: { algorithm: sliding-log, rate: 5/h, scope: fleet, strategy: redis }
                    overrides: [{ match: { caller: acme }, limit: { strategy: sql } }]
                """).lines())
                .containsExactly(
                        "logins: counted over the fleet by the strategy redis, which each request asks and waits for,"
                                + " up to agent.quota.wait; while it does not answer each agent admits its share,"
                                + " rate ÷ live agents",
                        "logins: WARN: the strategy sql cannot apply sliding-log, only fixed-window and token-bucket:"
                                + " each agent applies its share, rate ÷ live agents");
    }

    @Test
    void unknownStrategy_isSaidToBeOne() {
        assertThat(text("policies: [{ name: all, per: [], limit: { rate: 9/s, scope: fleet, strategy: redsi } }]"))
                .contains("by the strategy redsi (not one of redis, redis-chunks, sql, token-server), which");
    }
}
