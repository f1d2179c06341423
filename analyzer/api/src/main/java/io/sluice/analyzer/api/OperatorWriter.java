package io.sluice.analyzer.api;

import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.DecisionRecord;
import io.sluice.contract.decision.OperatorAction;
import io.sluice.contract.decision.PolicySetChange;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.RecordSignatures;
import io.sluice.contract.topic.TopicNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes an operator's record to the operator topic, which agents obey, or a policy set to the policies topic, which analyzers follow, and then to
 * the decision log. It happens rarely: there are clients only while it does. Thread-safe.
 */
public final class OperatorWriter {
    private final Map<String, Object> client;
    private final Map<String, Object> producing;
    private final TopicNames topics;

    /**
     * Result of writing a record.
     *
     * @param append the broker's time of it on its topic
     * @param unrecorded why it is not in the decision log though it is in force; empty when it is
     */
    public record Written(long append, String unrecorded) {}

    /**
     * Touches nothing yet.
     *
     * @param client at least {@code bootstrap.servers}
     * @param patience how long to wait for each answer of the broker
     */
    public OperatorWriter(Map<String, Object> client, TopicNames topics, Duration patience) {
        int millis = (int) patience.toMillis();
        this.client = new HashMap<>(client);
        this.client.put("request.timeout.ms", Math.min(millis, 5_000));
        this.client.put("default.api.timeout.ms", millis);
        producing = RecordSignatures.producing(client);
        producing.remove("default.api.timeout.ms");
        producing.put("max.block.ms", millis);
        producing.put("request.timeout.ms", Math.min(millis, 5_000));
        producing.put("delivery.timeout.ms", millis);
        producing.put("linger.ms", 0);
        this.topics = topics;
    }

    /**
     * Waits until the broker has it. A decision log that can't be written does not prevent the action.
     *
     * @throws IOException when the operator topic did not take it, as far as is known; its cause is Kafka's exception
     */
    public Written write(OperatorRecord record) throws IOException {
        return write(
                topics.operator(),
                CompositeKey.bytes(OperatorJson.key(record)),
                OperatorJson.write(record),
                new OperatorAction(record));
    }

    /**
     * Asks for a policy set, and waits until the broker has the request. A decision log that can't be written does not prevent it.
     *
     * @param change what the decision log is to hold of it
     * @throws IOException when the policies topic did not take it, as far as is known; its cause is Kafka's exception
     */
    public Written write(PolicySet set, PolicySetChange change) throws IOException {
        return write(
                topics.policies(),
                PolicySetJson.DESIRED.getBytes(StandardCharsets.UTF_8),
                PolicySetJson.writeDesired(set),
                change);
    }

    private Written write(String topic, byte[] key, byte[] value, DecisionRecord decision) throws IOException {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(producing, bytes, bytes)) {
            long append = send(producer, topic, key, value);
            return new Written(append, recorded(producer, decision));
        } catch (ExecutionException | KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("Kafka did not take it: " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped before Kafka answered", e);
        }
    }

    /** Writes it to the decision log; why not, if that fails. */
    private String recorded(KafkaProducer<byte[], byte[]> producer, DecisionRecord decision)
            throws InterruptedException {
        String topic = topics.decisions();
        try (Admin admin = Admin.create(client)) {
            // a producer that asks for a missing topic may have the broker make it, with settings that lose it soon
            admin.describeTopics(List.of(topic)).allTopicNames().get();
            send(producer, topic, CompositeKey.bytes(DecisionJson.key(decision)), DecisionJson.write(decision));
            return "";
        } catch (ExecutionException | KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return cause instanceof UnknownTopicOrPartitionException
                    ? "topic " + topic + " is missing; './sluice topics create' makes it"
                    : topic + ": " + cause.getMessage();
        }
    }

    private static long send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] key, byte[] value)
            throws ExecutionException, InterruptedException {
        return producer.send(new ProducerRecord<>(topic, key, value)).get().timestamp();
    }
}
