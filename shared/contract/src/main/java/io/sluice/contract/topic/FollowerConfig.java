package io.sluice.contract.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The consumer settings that following needs, each with its reason. */
final class FollowerConfig {
    private FollowerConfig() {}

    static Map<String, Object> of(Map<String, Object> clientConfig) {
        Map<String, Object> config = RecordSignatures.without(clientConfig);
        // no group: every follower reads everything, and needs no right to join one
        config.remove(ConsumerConfig.GROUP_ID_CONFIG);
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // bytes: a poison record is the listener's to judge, and can't stop the reading
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // a lost place must be noticed, since the listener has to be called
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        // how soon an added partition is seen
        config.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 10_000);
        config.putIfAbsent(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 2_000);
        config.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        config.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        config.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        return config;
    }

    /** The settings of the client that asks for topic ids, from those of the consumer. */
    static Map<String, Object> admin(Map<String, Object> consumerConfig) {
        Map<String, Object> config = new HashMap<>(consumerConfig);
        // what is no consumer setting can be for a login module or a metrics reporter
        config.keySet()
                .removeIf(name -> ConsumerConfig.configNames().contains(name)
                        && !AdminClientConfig.configNames().contains(name));
        // consumers accept a request timeout above that of the call, admin clients do not
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        return config;
    }

    /** The time from one question for topic ids to the next: that of metadata, but from 0.5 to 10 s. */
    static Duration idInterval(Map<String, Object> consumerConfig) {
        String millis = String.valueOf(consumerConfig.get(ConsumerConfig.METADATA_MAX_AGE_CONFIG));
        try {
            return Duration.ofMillis(Math.max(500, Math.min(10_000, Long.parseLong(millis.strip()))));
        } catch (NumberFormatException e) {
            // the consumer refuses it
            return Duration.ofSeconds(10);
        }
    }
}
