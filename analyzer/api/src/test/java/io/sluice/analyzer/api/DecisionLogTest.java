package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.OperatorAction;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class DecisionLogTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void read_recordsWithoutAKeyOrWithAnEmptyOne_areSkipped() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("decisions"), 1);
        OperatorAction action = lockOf("acme");
        byte[] value = DecisionJson.write(action);
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            for (byte[] key : new byte[][] {
                null, {}, TestKafka.utf8("[]"), TestKafka.utf8("not json"), CompositeKey.bytes(DecisionJson.key(action))
            }) {
                producer.send(new ProducerRecord<>(topic, key, value)).get();
            }
        }

        DecisionLog.Found found = new DecisionLog(TestKafka.client(), topic)
                .read(new DecisionLog.Query(null, key -> key.get(0).equals("noisy"), 0, 100), PATIENCE);

        assertThat(found.entries()).extracting(DecisionLog.Entry::record).containsExactly(action);
    }

    @Test
    void read_recordsOfOneTime_keepTheirOrder() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("decisions"), 1, Map.of("message.timestamp.type", "CreateTime"));
        long time = 1_763_700_000_000L;
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            for (String caller : List.of("first", "second", "third", "before")) {
                OperatorAction action = lockOf(caller);
                long append = caller.equals("before") ? time - 1 : time;
                producer.send(new ProducerRecord<>(
                                topic,
                                0,
                                append,
                                CompositeKey.bytes(DecisionJson.key(action)),
                                DecisionJson.write(action)))
                        .get();
            }
        }

        DecisionLog.Found found = new DecisionLog(TestKafka.client(), topic)
                .read(new DecisionLog.Query(null, key -> true, 0, 100), PATIENCE);

        assertThat(found.entries())
                .extracting(DecisionLog.Entry::record)
                .containsExactly(lockOf("before"), lockOf("first"), lockOf("second"), lockOf("third"));
    }

    private static OperatorAction lockOf(String caller) {
        return new OperatorAction(new OperatorRecord.Lock(
                "noisy", List.of(caller), Mode.BLOCK, 0, 60_000, "ann", "incident", 1_763_700_000_000L));
    }
}
