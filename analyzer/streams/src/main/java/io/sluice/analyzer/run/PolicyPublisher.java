package io.sluice.analyzer.run;

import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.RecordSignatures;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes active policies on a thread of its own; of those that wait for their turn only the last. One that could not be written is tried again until
 * it is, or until there is another. It happens rarely: there is a producer only while it does.
 */
final class PolicyPublisher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PolicyPublisher.class);

    private static final long RETRY_SECONDS = 5;

    private final Map<String, Object> client;
    private final String topic;
    private final AtomicReference<@Nullable PolicySet> waiting = new AtomicReference<>();
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-policies");
        thread.setDaemon(true);
        return thread;
    });

    PolicyPublisher(Map<String, Object> client, String topic) {
        this.client = new HashMap<>(client);
        this.topic = topic;
    }

    /** Returns at once. */
    void publish(PolicySet set) {
        if (waiting.getAndSet(set) == null) {
            writer.execute(this::writeLast);
        }
    }

    private void writeLast() {
        PolicySet last = waiting.getAndSet(null);
        // one that came meanwhile is written at once instead
        if (last != null && !written(last) && waiting.compareAndSet(null, last)) {
            var unused = writer.schedule(this::writeLast, RETRY_SECONDS, TimeUnit.SECONDS);
        }
    }

    private boolean written(PolicySet set) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(RecordSignatures.producing(client), bytes, bytes)) {
            byte[] key = PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(topic, key, PolicySetJson.writeActive(set)))
                    .get();
        } catch (InterruptedException | InterruptException closed) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | KafkaException e) {
            log.error(
                    "the policies of revision {} could not be published, tried again in {} s: {}",
                    set.revision(),
                    RETRY_SECONDS,
                    e.toString());
            return false;
        }
        return true;
    }

    @Override
    public void close() {
        writer.shutdownNow();
    }
}
