package io.sluice.agent.feed;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of the agent's clients, each with its reason. What the service's owner sets comes before ours. */
final class ClientSettings {
    private ClientSettings() {}

    static Map<String, Object> producer(Map<String, Object> given, String agent) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "sluice-agent-" + agent);
        // the agent's own thread waits, never a request; not for long, so that it can be stopped
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1000);
        // the access log may take this much of the service's memory while the broker is slow
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 8L << 20);
        // an event that is older is of no use: meters don't count it
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        // an access log may lose or double a few lines when a broker dies; it may not slow a service down
        settings.put(ProducerConfig.ACKS_CONFIG, "1");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        // saves the broker and the analyzer work, and costs the reaction this much at most
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 10);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 10_000);
        settings.putAll(given);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return settings;
    }

    static Map<String, Object> consumer(Map<String, Object> given, String agent) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "sluice-agent-" + agent);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 10_000);
        settings.putAll(given);
        return settings;
    }
}
