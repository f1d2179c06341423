package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestFleet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.kafka.embedded.KafkaProcess;
import io.sluice.testing.FreePort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The only broker is killed and comes back with its data. The analyzer's clients give up sooner than by default. */
@Tag("server")
@Tag("full")
class KafkaOutageTest {
    private static final TopicNames TOPICS = new TopicNames("sluice.");
    private static final int LIMIT = 20;
    private static final int BYSTANDERS = 20;
    private static final List<String> HALVES = List.of("half-0", "half-1", "half-2", "half-3", "half-4");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"at-least-once", "exactly-once"})
    void outage_longerThanClientsWait_sameProcessKeepsLocksAndCounts(String guarantee) throws Exception {
        // below the ports of outgoing connections, of which one could take it while the broker is away
        try (KafkaProcess kafka = KafkaProcess.builder().port(FreePort.next()).start();
                AnalyzerProcess analyzer = AnalyzerProcess.start(folder, "a", settings(kafka, guarantee))) {
            long pid = analyzer.pid();
            Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
            // a consumer that asks for a topic before the analyzer has created it would create it
            try (Admin admin = Admin.create(client)) {
                until(analyzer, () -> admin.listTopics().names().get().contains(TOPICS.gateLocks()));
            }
            awaitAble(analyzer, client);
            send(client, "early", LIMIT + 1);
            LockHistory.Lock before = awaitLock(analyzer, client, "early");
            String round = undisturbed(client, List.of("", "-again", "-once-more"), each -> {
                HALVES.forEach(half -> send(client, half + each, LIMIT / 2));
                awaitCommit(analyzer, client, guarantee.equals("exactly-once") ? 1 : 0);
            });

            kafka.kill();
            // then a stream thread dies, or goes on trying: both must lead back to work
            until(analyzer, () -> analyzer.toString().contains(TimeoutException.class.getName()));
            long back = System.currentTimeMillis();
            kafka.restart();
            awaitAble(analyzer, client);
            send(client, "late", LIMIT + 1);
            assertThat(awaitLock(analyzer, client, "late").since).isGreaterThan(back);
            String half = undisturbed(client, HALVES, each -> {
                send(client, each + round, LIMIT / 2 + 1);
                awaitLock(analyzer, client, each + round);
            });
            // neither lost nor counted twice: one request less would not lock it
            assertThat(awaitLock(analyzer, client, half + round).evidence.observed())
                    .isEqualTo(LIMIT + 1);
            assertThat(awaitLock(analyzer, client, "early").since).isEqualTo(before.since);
            assertThat(analyzer.alive()).isTrue();
            assertThat(analyzer.pid()).isEqualTo(pid);
        }
    }

    /** Events count and open locks although the broker stood still, and the analyzer after it began anew, between a send and its handling. */
    private String settings(KafkaProcess kafka, String guarantee) throws Exception {
        // with the spike, which never fires, meters hold nothing back
        Files.writeString(folder.resolve("policies.yml"), """
                guard: { atLeast: 10 }
                policies:
                  - name: noisy
                    per: [caller]
                    window: 10m
                    panes: 10
                    lock: { when: [{ above: %d }, { spike: 1000, baseline: 1h, floor: 100000000 }], mode: block, for: 1h }
                """.formatted(LIMIT));
        Files.writeString(folder.resolve("client.properties"), """
                max.block.ms=2000
                request.timeout.ms=2000
                delivery.timeout.ms=4000
                """);
        return """
                kafka: { bootstrap.servers: "%s", properties-file: %s }
                topics: { create: true, partitions: 1 }
                policies: %s
                analyzer: { state-dir: %s, guarantee: %s, lateness: 10m, backlog: 10m }
                http: { port: 0 }
                """.formatted(
                        kafka.bootstrapServers(),
                        folder.resolve("client.properties"),
                        folder.resolve("policies.yml"),
                        folder.resolve("state"),
                        guarantee);
    }

    /**
     * Does it with one of these after the other, until no task has begun anew meanwhile: at least once, such a one counts again what it had not committed,
     * and where machine or broker stand still for longer than the clients wait, tasks do begin anew.
     */
    private static String undisturbed(Map<String, Object> client, List<String> all, Consumer<String> action) {
        for (String each : all) {
            List<Long> before = newestEpochs(client);
            action.accept(each);
            if (newestEpochs(client).equals(before)) {
                return each;
            }
        }
        throw new AssertionError("tasks begin anew again and again");
    }

    /** The beginnings of the newest lives of decide tasks and of meters. */
    private static List<Long> newestEpochs(Map<String, Object> client) {
        try (TopicTail usage = TopicTail.committed(client, TOPICS.usage())) {
            return List.of(
                    locks(client).newestEpoch(),
                    new SentUsage().add(usage.read()).newestEpoch());
        }
    }

    private static void awaitAble(AnalyzerProcess analyzer, Map<String, Object> client) {
        long from = System.currentTimeMillis();
        until(analyzer, () -> locks(client).allAbleSince(from, 1));
    }

    /** Waits until a caller has an enforced lock that has not ended. */
    private static LockHistory.Lock awaitLock(AnalyzerProcess analyzer, Map<String, Object> client, String caller) {
        until(analyzer, () -> {
            LockHistory locks = locks(client);
            long now = System.currentTimeMillis();
            boolean locked = locks.enforced(caller).isPresent() && locks.closed(caller, now, now);
            if (!locked) {
                bystanders(client);
            }
            return locked;
        });
        return locks(client).enforced(caller).orElseThrow();
    }

    /** The guard enforces locks of at most half of the active callers, and a task that begins anew knows of none. */
    private static void bystanders(Map<String, Object> client) {
        List<String> callers = Stream.generate(() -> "bystander-" + UUID.randomUUID())
                .limit(BYSTANDERS)
                .toList();
        send(client, callers);
    }

    private static LockHistory locks(Map<String, Object> client) {
        try (TopicTail tail = TopicTail.committed(client, TOPICS.gateLocks())) {
            return new LockHistory(tail.read());
        }
    }

    /**
     * Waits until everything on the topics is committed: with at-least-once the rest would be counted again.
     *
     * @param marker 1 with transactions, of which the last record is a marker that is never read
     */
    private static void awaitCommit(AnalyzerProcess analyzer, Map<String, Object> client, int marker) {
        try (Admin admin = Admin.create(client)) {
            until(
                    analyzer,
                    () -> uncommitted(admin, new TopicPartition(TOPICS.requests(), 0)) == 0
                            && uncommitted(admin, new TopicPartition(TOPICS.usage(), 0)) <= marker);
        }
    }

    private static long uncommitted(Admin admin, TopicPartition partition) throws Exception {
        var committed = admin.listConsumerGroupOffsets("sluice.sluice-analyzer")
                .partitionsToOffsetAndMetadata()
                .get()
                .get(partition);
        long end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
        return committed == null ? end : end - committed.offset();
    }

    private static void send(Map<String, Object> client, String caller, int count) {
        send(client, Collections.nCopies(count, caller));
    }

    /** One request of each. */
    private static void send(Map<String, Object> client, List<String> callers) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(client, bytes, bytes)) {
            for (String caller : callers) {
                var unused = producer.send(new ProducerRecord<>(
                        TOPICS.requests(), TestFleet.event(caller).getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private static void until(AnalyzerProcess analyzer, Callable<Boolean> condition) {
        try {
            await().pollInterval(Duration.ofMillis(250)).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(analyzer.toString(), e);
        }
    }
}
