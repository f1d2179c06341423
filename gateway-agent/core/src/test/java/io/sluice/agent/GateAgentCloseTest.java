package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of an agent: entries are sent or counted, in bounded time, and no thread is left. */
@Tag("server")
final class GateAgentCloseTest extends GateAgentFixture {
    @Test
    void entriesLoggedAfterClose_areCountedAsDropped() {
        GateAgent agent =
                GateAgent.builder().bootstrap("127.0.0.1:1").service("orders").build();
        agent.close();

        agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);

        assertThat(agent.status().logged()).isEqualTo(1);
        assertThat(agent.status().drops()).isEqualTo(1);
    }

    @Test
    void everyRequestIsSentOrCountedAsDroppedWhenThereIsNoBroker() throws IOException {
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:" + FreePort.next())
                .service("orders")
                .logQueue(100)
                .build();
        for (int i = 0; i < 5000; i++) {
            agent.log(Request.of("c" + i).build(), Verdict.Allowed.FREELY, 200, 1, 1);
        }
        assertThat(agent.status().logged()).isEqualTo(5000);
        agent.close();
        awaitAllCounted(agent, 5000);
        assertThat(agent.status().drops()).isGreaterThanOrEqualTo(4900);
    }

    @Test
    void closingIsBoundedWhenKafkaIsDead() throws IOException {
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:" + FreePort.next())
                .service("orders")
                .build();
        for (int i = 0; i < 100; i++) {
            agent.log(Request.of("c" + i).build(), Verdict.Allowed.FREELY, 200, 1, 1);
        }
        agent.close();
        agent.close();
        assertThat(allows(agent, "acme")).isTrue();
    }

    @Test
    void close_whileASendBlocksForMinutes_leavesNoThreadAndCountsTheEntry() {
        List<Thread> ofOthers = publishers();
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .kafka(Map.of("max.block.ms", 600_000))
                .build();
        agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);
        await().atMost(PATIENCE)
                .until(() -> publishers().stream()
                        .filter(it -> !ofOthers.contains(it))
                        .anyMatch(it -> it.getState() == Thread.State.TIMED_WAITING
                                && Stream.of(it.getStackTrace())
                                        .anyMatch(frame -> frame.getClassName().endsWith("KafkaProducer"))));

        agent.close();

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(ofOthers).containsAll(publishers());
            assertThat(agent.status().drops()).isEqualTo(1);
        });
    }

    private static List<Thread> publishers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(it -> it.getName().equals("sluice-publisher") && it.isAlive())
                .toList();
    }

    @Test
    void rejectionsThatWaitForOthersAreCountedAtOnceWhenItClosesWithoutABroker() throws IOException {
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:" + FreePort.next())
                .service("orders")
                .kafka(Map.of("max.block.ms", 2000))
                .build();
        Verdict rejected = new Verdict.Rejected(Verdict.Reason.LOCKED, "noisy", 1000, null);
        for (int i = 0; i < 100; i++) {
            agent.log(Request.of("c" + i).build(), rejected, 429, 1, 1);
        }
        await().atMost(PATIENCE).until(() -> agent.status().drops() > 0);
        agent.close();
        // one after the other they would take longer
        awaitAllCounted(agent, 100);
    }

    /** Closing waits a few seconds for the publisher, which on a loaded machine may end later. */
    private static void awaitAllCounted(GateAgent agent, long entries) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(agent.status().sent() + agent.status().drops())
                                .isEqualTo(entries));
    }

    @Test
    void twentyRedeploymentsLeaveNoThread() {
        try (Cluster cluster = cluster().analyzerLives()) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            for (int i = 0; i < 20; i++) {
                try (GateAgent agent = cluster.agent().id("redeployed").build()) {
                    allows(agent, "acme");
                    agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);
                    if (i % 5 == 0) {
                        awaitFreshness(agent, Freshness.FRESH);
                    }
                }
            }
            // closing waits a few seconds for threads, which on a loaded machine may end later
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                                    .filter(thread -> !before.contains(thread))
                                    .map(Thread::getName)
                                    .filter(name -> name.contains("sluice") || name.contains("redeployed")))
                            .isEmpty());
        }
    }

    /** The newest record of each agent's key: a heartbeat, or null for a tombstone. */
    private static Map<String, Optional<byte[]>> newestByAgent(Cluster cluster) {
        Map<String, Optional<byte[]>> newest = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : cluster.readAll(cluster.names.agents())) {
            newest.put(new String(record.key(), StandardCharsets.UTF_8), Optional.ofNullable(record.value()));
        }
        return newest;
    }

    private static void awaitHeartbeat(GateAgent agent) {
        // broker time is known by the acknowledgement of a heartbeat
        await().atMost(PATIENCE).until(() -> agent.freshness() != Freshness.COLD);
    }

    @Test
    void close_removesTheAgentFromTheFleet_andOneThatFollowsUnderItsIdIsBackInIt() {
        try (Cluster cluster = cluster();
                GateAgent other = cluster.agent().id("orders-8").build()) {
            awaitHeartbeat(other);
            for (int start = 0; start < 2; start++) {
                GateAgent agent = cluster.agent().id("orders-7").build();
                awaitHeartbeat(agent);
                assertThat(newestByAgent(cluster).get("orders-7")).isPresent();

                agent.close();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(newestByAgent(cluster).get("orders-7"))
                                .isEmpty());
            }
            assertThat(newestByAgent(cluster).get("orders-8")).isPresent();
        }
    }
}
