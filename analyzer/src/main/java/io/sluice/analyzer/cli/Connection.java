package io.sluice.analyzer.cli;

import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SluiceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command reaches the cluster: the options that all of them take, and clients that give up after a few seconds. */
final class Connection {
    static final Duration PATIENCE = Duration.ofSeconds(15);

    @Option(names = "--config", paramLabel = "FILE", description = "Settings; default: sluice.yml, if there is one.")
    @Nullable
    Path config;

    private @Nullable SluiceSettings settings;

    SluiceSettings settings() throws InvalidSettings {
        if (settings == null) {
            settings = SluiceSettings.read(config, System.getenv());
        }
        return settings;
    }

    TopicNames topics() throws InvalidSettings {
        return new TopicNames(settings().topics().prefix());
    }

    /** Settings of a client that does not wait for ever. */
    Map<String, Object> client() throws InvalidSettings {
        Map<String, Object> client = new HashMap<>(settings().kafka().client());
        // whatever the properties file says: clients refuse a request that may take longer than the whole call
        client.put("request.timeout.ms", 5_000);
        client.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
        return client;
    }

    Admin admin() throws InvalidSettings {
        return Admin.create(client());
    }

    /** Writes one record and waits until the broker has it. */
    void write(String topic, byte[] key, byte[] value) throws InvalidSettings, Refused {
        Map<String, Object> client = new HashMap<>(client());
        client.put("max.block.ms", PATIENCE.toMillis());
        client.put("delivery.timeout.ms", (int) PATIENCE.toMillis());
        client.put("linger.ms", 0);
        client.remove("default.api.timeout.ms");
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            RecordMetadata written = producer.send(new ProducerRecord<>(topic, key, value))
                    .get(PATIENCE.toMillis() * 2, TimeUnit.MILLISECONDS);
            assert written.hasOffset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted before the broker answered");
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw unreachable(e);
        }
    }

    /** What to tell when the cluster doesn't answer, or not this user. */
    Refused unreachable(Exception failure) throws InvalidSettings {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (NotAllowed.because(failure)) {
            return new NotAllowed("Kafka at " + client().get("bootstrap.servers") + " does not let this user do it: "
                    + cause.getMessage());
        }
        return new Refused("Kafka at " + client().get("bootstrap.servers") + " did not do it: " + cause.getMessage()
                + "\nis it running? Name another one with kafka.bootstrap.servers in sluice.yml, or"
                + " SLUICE_KAFKA_BOOTSTRAP_SERVERS; './sluice analyzer' without either starts one");
    }
}
