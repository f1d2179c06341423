package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicReader;
import io.sluice.kafka.embedded.KafkaProcess;
import io.sluice.testing.FreePort;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PolicyPublisherTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void close_whileABrokerDoesNotAnswer_isNoError() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(PolicyPublisher.class);
        logger.addAppender(lines);
        Map<String, Object> client = Map.of("bootstrap.servers", "127.0.0.1:" + FreePort.next());
        try (PolicyPublisher publisher = new PolicyPublisher(client, "policies")) {
            publisher.publish(TestPolicies.above(100));
            await().atMost(PATIENCE).until(() -> writers().anyMatch(it -> it.getState() == Thread.State.TIMED_WAITING));
        }

        await().atMost(PATIENCE).until(() -> writers().findAny().isEmpty());
        logger.detachAppender(lines);
        assertThat(lines.list).isEmpty();
    }

    private static Stream<Thread> writers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("sluice-policies"));
    }

    @Tag("full")
    @Test
    void policies_thatCouldNotBeWritten_areWrittenLater_ofSeveralTheLast() throws Exception {
        int port = FreePort.next();
        Map<String, Object> client = Map.of("bootstrap.servers", "127.0.0.1:" + port, "max.block.ms", 500);
        try (PolicyPublisher publisher = new PolicyPublisher(client, "policies")) {
            publisher.publish(TestPolicies.above(100));
            publisher.publish(TestPolicies.above(200));
            try (KafkaProcess kafka = KafkaProcess.builder().port(port).start();
                    Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                admin.createTopics(List.of(new NewTopic("policies", 1, (short) 1)))
                        .all()
                        .get();
                byte[] expected = PolicySetJson.writeActive(TestPolicies.above(200));

                await().atMost(PATIENCE).untilAsserted(() -> {
                    List<byte[]> written = new ArrayList<>();
                    try (TopicReader reader = new TopicReader(
                            Map.of("bootstrap.servers", kafka.bootstrapServers()),
                            IsolationLevel.READ_COMMITTED,
                            PATIENCE,
                            PATIENCE)) {
                        reader.read(reader.since(List.of("policies"), 0), record -> written.add(record.value()));
                    }
                    assertThat(written)
                            .extracting(it -> new String(it, StandardCharsets.UTF_8))
                            .endsWith(new String(expected, StandardCharsets.UTF_8));
                });
            }
        }
    }
}
