package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.kafka.embedded.KafkaProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker is killed under an agent that answers checks all the time, and comes back. */
@Tag("server")
@Tag("full")
final class BrokerDeathTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyRequestIsStoredOrCountedAsDroppedAndTheAgentRecovers(boolean idempotent) throws Exception {
        // a producer that sends again does not know whether a dead broker had stored it, unless it is idempotent; of
        // several requests under way, a broker
        // that was killed knows the last one alone
        Map<String, Object> client = idempotent
                ? Map.of(
                        "enable.idempotence",
                        true,
                        "acks",
                        "all",
                        "max.in.flight.requests.per.connection",
                        1,
                        "delivery.timeout.ms",
                        600_000)
                : Map.of();
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        AtomicBoolean done = new AtomicBoolean();
        try (KafkaProcess kafka = KafkaProcess.builder().start();
                Cluster cluster = new Cluster(kafka.bootstrapServers(), "death.").analyzerLives()) {
            GateAgent agent = cluster.agent()
                    .kafka(client)
                    // full after a few hundred entries, and then the queue is, too
                    .kafka(Map.of("buffer.memory", 64 * 1024))
                    .staleAfter(Duration.ofSeconds(1))
                    .logQueue(1000)
                    .build();
            awaitFreshness(agent, Freshness.FRESH);
            Thread requests = new Thread(() -> {
                for (int i = 0; !done.get(); i++) {
                    try {
                        Request request = agent.request("c" + i).build();
                        agent.log(request, agent.check(request), 200, 1, 1);
                    } catch (RuntimeException e) {
                        thrown.add(e);
                    }
                    LockSupport.parkNanos(300_000);
                }
            });
            requests.start();
            await().atMost(PATIENCE).until(() -> agent.status().sent() > 1000);
            kafka.kill();
            awaitFreshness(agent, Freshness.STALE);
            await().atMost(PATIENCE).until(() -> agent.status().drops() > 0);
            kafka.restart();
            cluster.analyzerLives();
            awaitFreshness(agent, Freshness.FRESH);
            long before = agent.status().sent();
            await().atMost(PATIENCE).until(() -> agent.status().sent() > before + 1000);
            done.set(true);
            requests.join();
            // closing waits for answers of the broker for five seconds only
            await().atMost(PATIENCE)
                    .until(() -> agent.status().sent() + agent.status().drops()
                            == agent.status().logged());
            agent.close();

            AgentStatus end = agent.status();
            assertThat(thrown).isEmpty();
            assertThat(end.failures()).isZero();
            assertThat(end.checks()).isEqualTo(end.logged());
            assertThat(end.sent() + end.drops()).isEqualTo(end.logged());
            List<String> stored = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : cluster.readAll(cluster.names.requests())) {
                stored.add(RequestEventReader.ours().read(record.value()).caller());
            }
            long missing = end.logged() - new HashSet<>(stored).size();
            if (idempotent) {
                assertThat(stored).doesNotHaveDuplicates();
                assertThat(end.drops()).isEqualTo(missing);
            } else {
                // what was stored and never acknowledged counts as dropped; nothing is lost uncounted
                assertThat(end.drops()).isGreaterThanOrEqualTo(missing);
                assertThat(end.drops() - missing).isLessThan(1000);
                assertThat((long) stored.size()).isGreaterThanOrEqualTo(end.sent());
            }
        } finally {
            done.set(true);
        }
    }

    private static void awaitFreshness(GateAgent agent, Freshness freshness) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(agent.freshness()).as("%s", agent.status()).isEqualTo(freshness));
    }
}
