package io.sluice.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.FreePort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
final class EmbeddedKafkaTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void whatIsProducedIsConsumed() throws Exception {
        long begin = System.nanoTime();
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().start()) {
            System.out.println("embedded broker started in " + millisSince(begin) + " ms");
            Clients clients = Clients.of(kafka.bootstrapServers());
            clients.createTopic("orders");

            clients.send("orders", "one");
            clients.send("orders", "two");

            assertThat(clients.read("orders")).containsExactly("one", "two");
            begin = System.nanoTime();
        }
        System.out.println("embedded broker stopped in " + millisSince(begin) + " ms");
    }

    @Tag("full")
    @Test
    void consumerGroupsAndTransactionsWorkOnTheSingleNode() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().start()) {
            Clients.of(kafka.bootstrapServers()).createTopic("orders");
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "t"),
                    new StringSerializer(),
                    new StringSerializer())) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("orders", "committed")).get();
                producer.commitTransaction();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("orders", "aborted")).get();
                producer.abortTransaction();
            }
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                    Map.of(
                            "bootstrap.servers", kafka.bootstrapServers(),
                            "group.id", "g",
                            "auto.offset.reset", "earliest",
                            "isolation.level", "read_committed"),
                    new StringDeserializer(),
                    new StringDeserializer())) {
                consumer.subscribe(List.of("orders"));
                ConsumerRecords<String, String> records =
                        await().until(() -> consumer.poll(Duration.ofMillis(200)), found -> !found.isEmpty());

                assertThat(records).extracting(each -> each.value()).containsExactly("committed");
            }
        }
    }

    @Tag("full")
    @Test
    void aTopicIsNotCreatedByMisspellingIt() {
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().start();
                Admin admin = Admin.create(Clients.of(kafka.bootstrapServers()).config())) {
            assertThatThrownBy(() -> admin.describeTopics(List.of("ordres"))
                            .allTopicNames()
                            .get())
                    .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
            assertThat(admin.listTopics().names())
                    .succeedsWithin(Duration.ofMinutes(2))
                    .isEqualTo(Set.of());
        }
    }

    @Tag("full")
    @Test
    void aFixedPortIsTheOneClientsUse() throws Exception {
        int port = FreePort.next();
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().port(port).start()) {
            assertThat(kafka.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
            Clients.of("127.0.0.1:" + port).createTopic("orders");
        }
    }

    @Tag("full")
    @Test
    void twoBrokersOnFreePortsLiveSideBySide() throws Exception {
        try (EmbeddedKafka one = EmbeddedKafka.builder().start();
                EmbeddedKafka other = EmbeddedKafka.builder().start()) {
            Clients.of(one.bootstrapServers()).createTopic("orders");
            Clients.of(one.bootstrapServers()).send("orders", "one");
            Clients.of(other.bootstrapServers()).createTopic("orders");

            assertThat(Clients.of(other.bootstrapServers()).read("orders")).isEmpty();
            assertThat(one.clusterId()).isNotEqualTo(other.clusterId());
        }
    }

    @Test
    void keptDataSurvivesARestart(@TempDir Path data) throws Exception {
        String clusterId;
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().data(data).start()) {
            clusterId = kafka.clusterId();
            Clients.of(kafka.bootstrapServers()).createTopic("orders");
            Clients.of(kafka.bootstrapServers()).send("orders", "kept");
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().data(data).start()) {
            assertThat(Clients.of(kafka.bootstrapServers()).read("orders")).containsExactly("kept");
            assertThat(kafka.clusterId()).isEqualTo(clusterId);
        }
    }

    @Tag("full")
    @Test
    void temporaryDataIsGoneAfterClose() {
        Path data;
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().start()) {
            data = kafka.data();
            assertThat(data).isNotEmptyDirectory();
        }
        assertThat(data).doesNotExist();
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() ->
                            EmbeddedKafka.builder().port(taken.getLocalPort()).start())
                    .isInstanceOf(KafkaStartException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void aDataDirectoryInUseIsNamedAndItsHolderGoesOn(@TempDir Path data) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().data(data).start()) {
            assertThatThrownBy(() -> EmbeddedKafka.builder().data(data).start())
                    .isInstanceOf(KafkaStartException.class)
                    .hasMessageContaining(data.toRealPath().toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
            Clients.of(kafka.bootstrapServers()).createTopic("orders");
        }
    }

    @Test
    void aFailedStartLeavesThePortAndTheDirectoryFree(@TempDir Path data) throws Exception {
        int port = FreePort.next();
        assertThatThrownBy(() -> EmbeddedKafka.builder()
                        .port(port)
                        .data(data)
                        .property("authorizer.class.name", "no.such.Authorizer")
                        .start())
                .isInstanceOf(KafkaStartException.class)
                .hasMessageContaining("no.such.Authorizer");
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().port(port).data(data).start()) {
            Clients.of(kafka.bootstrapServers()).createTopic("orders");
        }
    }

    @Test
    void anUnusableDataDirectoryIsNamed(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> EmbeddedKafka.builder().data(file).start())
                .isInstanceOf(KafkaStartException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void noThreadThatKeepsTheProcessAliveIsLeftAfterClose() {
        Set<Thread> before = lasting();
        EmbeddedKafka.builder().start().close();

        await().pollInSameThread()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(lasting()).isSubsetOf(before));
    }

    @Tag("full")
    @Test
    void aSecondCloseDoesNothing() {
        EmbeddedKafka kafka = EmbeddedKafka.builder().start();
        kafka.close();
        kafka.close();

        assertThat(kafka.data()).doesNotExist();
    }

    private static Set<Thread> lasting() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon() && thread.isAlive())
                .collect(Collectors.toSet());
    }

    private static long millisSince(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }
}
