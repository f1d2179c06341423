package io.sluice.agent.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientSettingsTest {
    private static final Map<String, List<String>> VALUES = Map.of(
            "request.timeout.ms", List.of("1", "5000", "30000"),
            "delivery.timeout.ms", List.of("5", "3000", "120000"),
            "linger.ms", List.of("0", "5", "60000"),
            "enable.idempotence", List.of("true", "false"),
            "acks", List.of("0", "1", "all", "-1"),
            "retries", List.of("0", "3"),
            "max.in.flight.requests.per.connection", List.of("1", "5", "6"));

    private static Map<String, Object> with(Map<String, ?> given) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.put("bootstrap.servers", "127.0.0.1:1");
        return settings;
    }

    private static void make(Map<String, Object> settings) {
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()).close(Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource({
        "request.timeout.ms, 30000",
        "enable.idempotence, true",
        "delivery.timeout.ms, 3000",
        "delivery.timeout.ms, 5",
        "linger.ms, 60000",
        "acks, all"
    })
    void aSettingThatKafkaAccepts_leavesTheProducerBuildable(String name, String value) {
        Map<String, Object> given = with(Map.of(name, value));

        ClientSettings.check(given);
        make(ClientSettings.producer(given, "a"));
    }

    /** Otherwise entries are dropped while an answer that still counts is on its way. */
    @Test
    void aSendWaitsAtLeastAsLongAsARequestMayTake() {
        Map<String, Object> settings = ClientSettings.producer(with(Map.of()), "a");

        assertThat(((Number) settings.get("max.block.ms")).longValue())
                .isGreaterThanOrEqualTo(((Number) settings.get("request.timeout.ms")).longValue());
    }

    /** Kafka's own constructor is the oracle, for the owner's settings alone and for what becomes of them. */
    @Test
    void everyCombination_isBuildableOrRefusedByName_andNeverRefusedWhereKafkaAcceptsIt() {
        Random random = new Random(1);
        int accepted = 0;
        for (int i = 0; i < 150; i++) {
            Map<String, String> chosen = new HashMap<>();
            VALUES.forEach((name, values) -> {
                if (random.nextInt(3) == 0) {
                    chosen.put(name, values.get(random.nextInt(values.size())));
                }
            });
            Map<String, Object> given = with(chosen);
            try {
                ClientSettings.check(given);
                accepted++;
                make(ClientSettings.producer(given, "a"));
            } catch (IllegalArgumentException e) {
                assertThat(kafkaAccepts(given)).as("%s", given).isFalse();
                assertThat(e).hasMessageMatching("(?s).*(" + String.join("|", chosen.keySet()) + ").*");
            }
        }
        assertThat(accepted).isBetween(20, 140);
    }

    private static boolean kafkaAccepts(Map<String, Object> given) {
        try {
            make(given);
            return true;
        } catch (KafkaException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"acks", "max.block.ms", "fetch.max.wait.ms", "isolation.level"})
    void aValueThatKafkaRefuses_isRefusedByName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientSettings.check(with(Map.of(name, "nonsense"))))
                .withMessageContaining(name);
    }

    @Test
    void transactions_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientSettings.check(with(Map.of("transactional.id", "a"))))
                .withMessageContaining("transactional.id");
    }

    @Test
    void heartbeatProducer_hasANameOfItsOwn_andIsAcknowledged() {
        assertThat(ClientSettings.heartbeatProducer(with(Map.of("acks", "0")), "a"))
                .containsEntry("client.id", "sluice-agent-a-heartbeat")
                .containsEntry("acks", "1");
        assertThat(ClientSettings.heartbeatProducer(with(Map.of("client.id", "orders", "acks", "all")), "a"))
                .containsEntry("client.id", "orders-heartbeat")
                .containsEntry("acks", "all");
        make(ClientSettings.heartbeatProducer(with(Map.of("acks", "0")), "a"));
    }
}
