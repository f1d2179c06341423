package io.sluice.settings;

import io.sluice.contract.topic.MaskedSettings;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How to reach Kafka.
 *
 * @param bootstrapServers {@code host:port,…}, or {@code null} when it is in the properties file or nowhere
 * @param properties what the properties file holds: TLS, SASL, and whatever else a client takes
 * @param signing how records are signed; empty when they are not
 */
public record KafkaSettings(
        @Nullable String bootstrapServers, Map<String, String> properties, Map<String, String> signing) {
    /** Where the embedded broker listens, and where other commands look for it. */
    public static final String EMBEDDED = "127.0.0.1:9092";

    /** Returns whether no cluster was named: the analyzer then starts a broker of its own. */
    public boolean embedded() {
        return bootstrapServers == null && !properties.containsKey("bootstrap.servers");
    }

    /** Names everything, and shows no secret. */
    @Override
    public String toString() {
        return "KafkaSettings[bootstrapServers=" + bootstrapServers + ", properties=" + MaskedSettings.text(properties)
                + "]";
    }

    /** Settings of every Kafka client, with those of {@link io.sluice.contract.topic.RecordSignatures}. */
    public Map<String, Object> client() {
        Map<String, Object> client = new TreeMap<>(properties);
        if (bootstrapServers != null) {
            client.put("bootstrap.servers", bootstrapServers);
        }
        client.putIfAbsent("bootstrap.servers", EMBEDDED);
        client.putAll(signing);
        return client;
    }
}
