package io.sluice.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.ChildJvm;
import io.sluice.testing.FreePort;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
final class KafkaProcessTest {

    @Tag("full")
    @Test
    void acknowledgedRecordsSurviveAKillAndARestartOnTheSamePort() throws Exception {
        try (KafkaProcess kafka = KafkaProcess.builder().start()) {
            String address = kafka.bootstrapServers();
            Clients clients = Clients.of(address);
            clients.createTopic("orders");
            clients.send("orders", "acknowledged");

            kafka.kill();
            assertThat(kafka.alive()).isFalse();
            long begin = System.nanoTime();
            kafka.restart();
            System.out.println("killed broker back in "
                    + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");

            assertThat(kafka.bootstrapServers()).isEqualTo(address);
            assertThat(clients.read("orders")).containsExactly("acknowledged");
            clients.send("orders", "and on");
            assertThat(clients.read("orders")).containsExactly("acknowledged", "and on");
        }
    }

    @Tag("full")
    @Test
    void aFrozenBrokerAnswersNothingUntilItIsResumed() {
        try (KafkaProcess kafka = KafkaProcess.builder().start()) {
            Map<String, Object> impatient =
                    new HashMap<>(Clients.of(kafka.bootstrapServers()).config());
            impatient.put("default.api.timeout.ms", 1000);
            impatient.put("request.timeout.ms", 500);
            kafka.freeze();
            try (Admin admin = Admin.create(impatient)) {
                assertThatThrownBy(() -> admin.listTopics().names().get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(TimeoutException.class);
            }
            kafka.resume();
            try (Admin admin = Admin.create(Clients.of(kafka.bootstrapServers()).config())) {
                assertThat(admin.listTopics().names()).succeedsWithin(Duration.ofMinutes(2));
            }
        }
    }

    @Tag("full")
    @Test
    void aStandstillTakesNoPartitionsLeaderAway() throws Exception {
        try (KafkaProcess kafka = KafkaProcess.builder().start()) {
            Clients clients = Clients.of(kafka.bootstrapServers());
            clients.createTopic("orders");
            clients.send("orders", "before");

            kafka.freeze();
            long resumed = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            await().until(() -> System.nanoTime() > resumed);
            kafka.resume();

            try (Admin admin = Admin.create(clients.config())) {
                TopicPartition partition = new TopicPartition("orders", 0);
                await().during(Duration.ofSeconds(2))
                        .atMost(Duration.ofMinutes(2))
                        .until(() -> admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                                .partitionResult(partition)
                                .get()
                                .leaderEpoch()
                                .equals(Optional.of(0)));
            }
        }
    }

    @Tag("full")
    @Test
    void aRunningBrokerIsRestartedInOrder(@TempDir Path data) throws Exception {
        try (KafkaProcess kafka = KafkaProcess.builder().data(data).start()) {
            Clients.of(kafka.bootstrapServers()).createTopic("orders");
            long before = kafka.pid();

            kafka.restart();

            assertThat(kafka.pid()).isNotEqualTo(before);
            assertThat(Clients.of(kafka.bootstrapServers()).read("orders")).isEmpty();
            assertThat(Files.exists(data.resolve(".kafka_cleanshutdown"))).isFalse();
        }
        assertThat(data.resolve(".kafka_cleanshutdown")).exists();
    }

    @Tag("full")
    @Test
    void namedListenersAreFoundAgainAfterARestart() throws Exception {
        int port = FreePort.next();
        try (KafkaProcess kafka = KafkaProcess.builder()
                .property("listeners", "PLAINTEXT://127.0.0.1:" + port)
                .start()) {
            Clients clients = Clients.of(kafka.bootstrapServers());
            clients.createTopic("orders");

            kafka.kill();
            kafka.restart();

            assertThat(kafka.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
            assertThat(clients.read("orders")).isEmpty();
        }
    }

    @Tag("full")
    @Test
    void aFrozenBrokerIsKilledByClose() {
        KafkaProcess kafka = KafkaProcess.builder().start();
        kafka.freeze();

        kafka.close();

        assertThat(kafka.alive()).isFalse();
    }

    @Test
    @Tag("full")
    void aHealthyBrokerPrintsNothingButItsReadyLine() throws Exception {
        try (KafkaProcess kafka = KafkaProcess.builder().start()) {
            Clients clients = Clients.of(kafka.bootstrapServers());
            clients.createTopic("orders");
            clients.send("orders", "one");
            kafka.stop();
            assertThat(kafka.output().untilEnd()).as("new data").isEmpty();

            kafka.restart();
            clients.send("orders", "two");
            kafka.stop();
            assertThat(kafka.output().untilEnd()).as("kept data").isEmpty();
        }
    }

    @Tag("full")
    @Test
    void aDataDirectoryOfAnotherProcessIsRefusedWithItsNumber(@TempDir Path data) {
        try (KafkaProcess kafka = KafkaProcess.builder().data(data).start()) {
            assertThatThrownBy(() -> EmbeddedKafka.builder().data(data).start())
                    .isInstanceOf(KafkaStartException.class)
                    .hasMessageContaining("process " + kafka.pid());
        }
    }

    @Test
    void aProcessThatCannotStartSaysWhy() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() ->
                            KafkaProcess.builder().port(taken.getLocalPort()).start())
                    .isInstanceOf(KafkaStartException.class)
                    .hasMessageContaining("port " + taken.getLocalPort() + " is in use");
        }
    }

    @Tag("full")
    @Test
    void theBrokerStopsInOrderWhenItsParentIsKilled(@TempDir Path data) throws Exception {
        // a parent that starts the broker as its child and is then killed without a chance to tidy up
        List<String> command = ChildJvm.command(List.of(), ParentOfKafka.class);
        command.add(data.toString());
        Process parent = new ProcessBuilder(command).redirectErrorStream(true).start();
        long child = Long.parseLong(parent.inputReader().readLine());
        ProcessHandle broker = ProcessHandle.of(child).orElseThrow();

        parent.destroyForcibly().waitFor();

        await().atMost(Duration.ofMinutes(2)).until(() -> !broker.isAlive());
        assertThat(data.resolve(".kafka_cleanshutdown")).exists();
    }

    @Tag("full")
    @Test
    void theMainClassPrintsOneLineAndStopsWithItsInput() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = EmbeddedKafkaMain.run(
                new String[] {"--until-stdin-closes", "--property", "num.io.threads=2"},
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err);

        assertThat(code).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).matches("Kafka ready at 127\\.0\\.0\\.1:\\d+\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--port", "--port x", "--port 65536", "--nonsense", "--property novalue", "--user =x"})
    void wrongArgumentsAreNamedWithTheUsage(String arguments) throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = EmbeddedKafkaMain.run(
                arguments.split(" "),
                new ByteArrayInputStream(new byte[0]),
                System.out,
                new PrintStream(err, true, StandardCharsets.UTF_8));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("error: ").contains("usage: [--port PORT]");
    }
}
