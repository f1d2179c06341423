package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An agent without central stores, and policies that name some; Kafka is absent. */
class MissingStrategyTest {
    private static final String POLICIES = """
            {"policies":[
              {"name":"own","per":["caller"],"match":{"service":["orders","carts"]},
               "limit":{"rate":"1/h","scope":"fleet","strategy":"own"},
               "overrides":[
                 {"match":{"service":"carts"},"limit":{"rate":"2/h","scope":"fleet","strategy":"override-of-others"}}]},
              {"name":"others","per":["caller"],"match":{"service":"payments"},
               "limit":{"rate":"1/h","scope":"fleet","strategy":"others"}}]}""";

    private static GateAgent agent() {
        return GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(POLICIES.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static List<String> missing(GateAgent agent) {
        return agent.quotas().stream().map(quota -> quota.strategy()).toList();
    }

    @Test
    void strategies_ofPoliciesForOtherServices_areNotMissing() {
        try (GateAgent agent = agent()) {
            assertThat(missing(agent)).containsExactly("own");
            assertThat(agent.reasons())
                    .contains("policies name the strategy own, which this agent does not have; it applies its share")
                    .noneMatch(reason -> reason.contains("others"));
        }
    }

    @Test
    void strategyOfAnotherService_isMissing_onceARequestNamesThatService() {
        try (GateAgent agent = agent()) {
            agent.check(Request.of("acme").service("payments").build());

            assertThat(missing(agent)).containsExactly("others", "own");
        }
    }
}
