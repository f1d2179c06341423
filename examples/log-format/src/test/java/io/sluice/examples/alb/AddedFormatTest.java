package io.sluice.examples.alb;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Verdict;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Neighbourhood;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real analyzer with the format beside it. */
class AddedFormatTest {
    private static final Map<String, String> ADDRESSES = Map.of(
            Crowd.NOISY,
            "203.0.113.9",
            "globex",
            "198.51.100.1",
            "initech",
            "198.51.100.2",
            "umbrella",
            "198.51.100.3");

    @Tag("full")
    @Test
    void givenLinesOfALoadBalancerWhenOneAddressCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(
                        folder, "sources: [{ topic: sluice.requests, format: alb, service: 'value:shop' }]");
                KafkaProducer<byte[], byte[]> loadBalancer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", neighbourhood.bootstrap()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                GateAgent agent = GateAgent.builder()
                        .bootstrap(neighbourhood.bootstrap())
                        .service("shop")
                        .build()) {
            Crowd.Told told = Crowd.ask(
                    caller -> {
                        String address = ADDRESSES.get(caller);
                        try (Verdict verdict =
                                agent.check(agent.request(address).ip(address).build())) {
                            String line = line(address, verdict.allowed() ? 200 : 429);
                            loadBalancer
                                    .send(new ProducerRecord<>(
                                            "sluice.requests", line.getBytes(StandardCharsets.UTF_8)))
                                    .get();
                            return verdict.allowed();
                        }
                    },
                    Duration.ofMinutes(2));

            assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
            assertThat(told.noisyRejected()).isPositive();
            assertThat(told.neighboursAllowed()).isPositive();
            assertThat(told.neighboursRejected()).isZero();
        }
    }

    private static String line(String address, int status) {
        return AlbFormatTest.HTTP
                .replace("2018-07-02T22:23:00.186641Z", Instant.now().toString())
                .replace("192.168.131.39:2817", address + ":2817")
                .replace(" 200 200 ", " " + status + " " + status + " ");
    }
}
