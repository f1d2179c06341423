package io.sluice.grpc;

import static io.sluice.grpc.EchoService.ending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.sluice.agent.GateAgent;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import io.sluice.kafka.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However a call ends, it is logged once, with the HTTP status of its code. */
@Tag("server")
final class CallEndsTest {
    private static final TopicNames NAMES = new TopicNames("ends.");
    private static final String CHECK = "/grpc.health.v1.Health/Check ";
    private static final String WATCH = "/grpc.health.v1.Health/Watch ";

    @Test
    void givenCallsThatEndInEveryWayThenTheLogSaysHow() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().start()) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                new TopicAdministration(admin).create(Topics.definitions(NAMES, 1, 1, 600_000));
            }
            try (GateAgent agent = GateAgent.builder()
                            .bootstrap(kafka.bootstrapServers())
                            .topicPrefix(NAMES.prefix())
                            .service("orders")
                            // drops nothing and sends nothing twice because the broker was slow
                            .kafka(Map.of(
                                    "delivery.timeout.ms",
                                    120_000,
                                    "request.timeout.ms",
                                    60_000,
                                    "max.block.ms",
                                    60_000))
                            .build();
                    EchoService service = new EchoService(new GateServerInterceptor(agent))) {
                List<String> expected = callInEveryWay(service);

                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(() -> assertThat(agent.status().sent()).isEqualTo(expected.size()));
                assertThat(agent.status().checks()).isEqualTo(expected.size());
                assertThat(lines(kafka.bootstrapServers(), expected.size()))
                        .containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    private static List<String> callInEveryWay(EchoService service) {
        HealthGrpc.HealthBlockingStub client = service.client("x", "y");
        List<String> expected = new ArrayList<>();
        client.check(ending("well"));
        expected.add(CHECK + 200);
        assertThatThrownBy(() -> client.check(ending("throws"))).isInstanceOf(StatusRuntimeException.class);
        expected.add(CHECK + 500);
        assertThatThrownBy(() -> client.check(ending("invalid")))
                .as("an interceptor in front of the gate ends it")
                .isInstanceOf(StatusRuntimeException.class);
        expected.add(CHECK + 500);
        assertThat(DamagedMessagesTest.damaged(service.channel())).isEqualTo(Status.Code.UNKNOWN);
        expected.add(CHECK + 500);
        for (Status.Code code : Status.Code.values()) {
            if (code != Status.Code.OK) {
                assertThatThrownBy(() -> client.check(ending(code.name()))).isInstanceOf(StatusRuntimeException.class);
                expected.add(CHECK + HttpStatus.of(code));
            }
        }
        client.watch(ending("three")).forEachRemaining(answer -> {});
        expected.add(WATCH + 200);
        try (Context.CancellableContext patience = Context.current().withCancellation()) {
            Iterator<HealthCheckResponse> answers =
                    patience.wrap(() -> client.watch(ending("on"))).call();
            answers.next();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        expected.add(WATCH + 499);
        return expected;
    }

    private static List<String> lines(String bootstrap, int count) throws MalformedRecord {
        List<String> lines = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(NAMES.requests(), 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            for (long end = System.nanoTime() + 120_000_000_000L; lines.size() < count && System.nanoTime() < end; ) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    RequestEvent event = RequestEventReader.ours().read(record.value());
                    assertThat(event.method()).isEqualTo("POST");
                    lines.add(event.route() + " " + event.status());
                }
            }
        }
        return lines;
    }
}
