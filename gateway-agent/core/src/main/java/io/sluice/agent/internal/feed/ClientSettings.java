package io.sluice.agent.internal.feed;

import io.sluice.contract.topic.RecordSignatures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The settings of the agent's Kafka clients. The host may override all of them except serializers; defaults that contradict an override are adjusted,
 * so the agent accepts whatever Kafka accepts.
 */
public final class ClientSettings {
    private static final long DELIVERY_MILLIS = 10_000;
    private static final long REQUEST_MILLIS = 5_000;
    private static final long LINGER_MILLIS = 10;
    private static final int MOST_IN_FLIGHT = 5;

    private ClientSettings() {}

    /**
     * Validates the settings without creating a client.
     *
     * @throws IllegalArgumentException with the settings that Kafka rejects or the agent cannot work with
     */
    public static void check(Map<String, Object> given) {
        refuse(
                given.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG),
                "transactional.id: the agent sends without transactions");
        Map<String, Object> producer = producer(given, "check");
        try {
            AbstractConfig config = new AbstractConfig(ProducerConfig.configDef(), producer, false);
            new AbstractConfig(ConsumerConfig.configDef(), deserializing(consumer(given, "check")), false);
            checkIdempotence(config);
            RecordSignatures.of(given);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("Kafka client settings: " + e.getMessage(), e);
        }
        long delivery = number(producer, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 0);
        long request = number(producer, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 0);
        long linger = number(producer, ProducerConfig.LINGER_MS_CONFIG, 0);
        refuse(
                delivery < request + linger,
                "delivery.timeout.ms is " + delivery + "; it must be at least linger.ms + request.timeout.ms, "
                        + (request + linger));
    }

    private static void checkIdempotence(AbstractConfig producer) {
        if (producer.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)) {
            String needed = "enable.idempotence=true needs ";
            String acks = producer.getString(ProducerConfig.ACKS_CONFIG);
            refuse(!List.of("all", "-1").contains(acks), needed + "acks=all, found " + acks);
            refuse(producer.getInt(ProducerConfig.RETRIES_CONFIG) == 0, needed + "retries above 0, found 0");
            int inFlight = producer.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION);
            refuse(
                    inFlight > MOST_IN_FLIGHT,
                    needed + "max.in.flight.requests.per.connection of at most " + MOST_IN_FLIGHT + ", found "
                            + inFlight);
        }
    }

    private static void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new IllegalArgumentException("Kafka client settings: " + why);
        }
    }

    static Map<String, Object> producer(Map<String, Object> given, String agent) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "sluice-agent-" + agent);
        // the agent's own thread waits, never a request: as long as one answer of the broker may take
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_MILLIS);
        // the access log may take this much of the service's memory while the broker is slow
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 8L << 20);
        // an access log may lose or double a few lines when a broker dies; it may not slow a service down
        settings.put(ProducerConfig.ACKS_CONFIG, isTrue(given, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG) ? "all" : "1");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 10_000);
        putTimes(given, settings);
        settings.putAll(RecordSignatures.without(given));
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return settings;
    }

    /** Returns the settings of the heartbeat producer: the host's, as far as they suit it. */
    static Map<String, Object> heartbeatProducer(Map<String, Object> given, String agent) {
        Map<String, Object> settings = producer(given, agent);
        // with the other producer's name Kafka would warn of MBeans that exist, and a quota on that name would delay
        // heartbeats too
        settings.put(
                CommonClientConfigs.CLIENT_ID_CONFIG,
                settings.get(CommonClientConfigs.CLIENT_ID_CONFIG) + "-heartbeat");
        if (!given.containsKey(ProducerConfig.BUFFER_MEMORY_CONFIG)) {
            settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 1L << 20);
        }
        // a heartbeat that is sent again must not overtake the removal of a closed agent
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        if ("0".equals(String.valueOf(settings.get(ProducerConfig.ACKS_CONFIG)).strip())) {
            // the agent learns broker time from the acknowledgement
            settings.put(ProducerConfig.ACKS_CONFIG, "1");
        }
        return settings;
    }

    /** Kafka requires delivery.timeout.ms ≥ linger.ms + request.timeout.ms: the defaults of the three are fitted to those that are given. */
    private static void putTimes(Map<String, Object> given, Map<String, Object> settings) {
        long most = number(given, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        // saves the broker and the analyzer work, and costs the reaction this much at most
        long lingerRoom = most - number(given, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 0);
        long linger = number(given, ProducerConfig.LINGER_MS_CONFIG, Math.max(0, Math.min(LINGER_MILLIS, lingerRoom)));
        long request = number(
                given, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(0, Math.min(REQUEST_MILLIS, most - linger)));
        settings.put(ProducerConfig.LINGER_MS_CONFIG, linger);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) request);
        // an event that is older is of no use: meters don't count it
        long delivery = Math.min(Integer.MAX_VALUE, Math.max(DELIVERY_MILLIS, linger + request));
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) delivery);
    }

    static Map<String, Object> consumer(Map<String, Object> given, String agent) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "sluice-agent-" + agent);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 10_000);
        settings.putAll(given);
        return settings;
    }

    private static Map<String, Object> deserializing(Map<String, Object> consumer) {
        consumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        consumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return consumer;
    }

    /** Returns a number as given, or the default where it is missing or no number, which {@link #check} refuses. */
    private static long number(Map<String, Object> settings, String name, long byDefault) {
        Object parsed = parsed(settings, name, ConfigDef.Type.LONG);
        return parsed instanceof Long number ? number : byDefault;
    }

    private static boolean isTrue(Map<String, Object> settings, String name) {
        return Boolean.TRUE.equals(parsed(settings, name, ConfigDef.Type.BOOLEAN));
    }

    private static Object parsed(Map<String, Object> settings, String name, ConfigDef.Type type) {
        try {
            Object parsed = ConfigDef.parseType(name, settings.get(name), type);
            return parsed == null ? "" : parsed;
        } catch (ConfigException e) {
            return "";
        }
    }
}
