package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.contract.agent.Freshness;
import io.sluice.kafka.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The base of the tests of the whole agent: a real broker for each class, and the conditions that they await. */
abstract class GateAgentFixture {
    static final String NOISY =
            "{\"policies\":[{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}]}";
    static final String LIMITED =
            "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}";
    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static EmbeddedKafka kafka;

    @BeforeAll
    static void startBroker() {
        kafka = EmbeddedKafka.builder().start();
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    static Cluster cluster() {
        return new Cluster(kafka.bootstrapServers(), "t" + PREFIXES.incrementAndGet() + ".");
    }

    static boolean allows(GateAgent agent, String caller) {
        return agent.check(Request.of(caller).build()).allowed();
    }

    static void awaitFreshness(GateAgent agent, Freshness freshness) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(agent.freshness()).as("%s", agent.status()).isEqualTo(freshness));
    }

    static void awaitAllowed(GateAgent agent, String caller, boolean allowed) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(allows(agent, caller))
                        .as("%s", agent.status())
                        .isEqualTo(allowed));
    }
}
