package io.sluice.contract.topic;

import io.sluice.contract.secret.HmacKey;
import io.sluice.contract.secret.KeyFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Signatures of the records that open and close gates: HMAC-SHA-256 over topic, key and value, in a header. They refuse records of writers that
 * have Kafka's rights but not the key, and records that a mirror or a client library put on a wrong topic. They do not refuse a signed
 * record that is written again: epochs, leases and rights do. Immutable and thread-safe.
 *
 * <p>They are set by three entries of the settings of Kafka clients, which Kafka itself does not read.
 */
public final class RecordSignatures {
    /** A {@link KeyFile}; without it nothing is signed or checked. */
    public static final String KEY_FILE = "sluice.signing.key.file";

    /** The topics whose records are signed, separated by commas. */
    public static final String TOPICS = "sluice.signing.topics";

    /** {@code accept} while writers without keys are still running, else {@code refuse}. */
    public static final String UNSIGNED = "sluice.signing.unsigned";

    static final String HEADER = "sluice-signature";
    private static final String ACCEPT = "accept";
    private static final byte[] NOTHING = {};

    private final List<HmacKey> keys;
    private final Set<String> topics;
    private final boolean acceptUnsigned;

    private RecordSignatures(List<HmacKey> keys, Set<String> topics, boolean acceptUnsigned) {
        this.keys = keys;
        this.topics = topics;
        this.acceptUnsigned = acceptUnsigned;
    }

    /** Returns the entries for the topics with a prefix. */
    public static Map<String, String> settings(Path keyFile, TopicNames names, boolean acceptUnsigned) {
        return Map.of(
                KEY_FILE,
                keyFile.toString(),
                TOPICS,
                String.join(",", names.gateLocks(), names.policies(), names.operator()),
                UNSIGNED,
                acceptUnsigned ? ACCEPT : "refuse");
    }

    /**
     * Reads the entries and the file.
     *
     * @return {@code null} when there are none
     * @throws ConfigException when the file cannot be used, with its name and the reason
     */
    public static @Nullable RecordSignatures of(Map<String, ?> client) {
        Object file = client.get(KEY_FILE);
        if (file == null) {
            return null;
        }
        try {
            return new RecordSignatures(
                    KeyFile.read(Path.of(file.toString())),
                    Set.of(String.valueOf(client.get(TOPICS)).split(",")),
                    ACCEPT.equals(client.get(UNSIGNED)));
        } catch (NoSuchFileException e) {
            throw new ConfigException(KEY_FILE + ": " + file + ": no such file");
        } catch (IOException e) {
            throw new ConfigException(KEY_FILE + ": " + e.getMessage());
        }
    }

    /** Returns why the file of keys cannot be used; {@code null} when it can, or there is none. */
    public static @Nullable String problem(Map<String, ?> client) {
        try {
            of(client);
            return null;
        } catch (ConfigException e) {
            return e.getMessage();
        }
    }

    /** Returns settings of a client without these entries, which Kafka would warn of. */
    public static Map<String, Object> without(Map<String, Object> client) {
        Map<String, Object> rest = new HashMap<>(client);
        rest.keySet().removeAll(Set.of(KEY_FILE, TOPICS, UNSIGNED));
        return rest;
    }

    /** Returns settings of a producer that signs, where these have the entries. */
    public static Map<String, Object> producing(Map<String, Object> client) {
        Map<String, Object> producing = new HashMap<>(client);
        if (client.containsKey(KEY_FILE)) {
            producing.put(
                    ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
                    interceptors(client.get(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG)));
        }
        return producing;
    }

    /** Returns a producer's interceptors with the one that signs behind them: the last to see a record. */
    public static List<Object> interceptors(@Nullable Object configured) {
        List<Object> all = new ArrayList<>();
        if (configured instanceof List<?> list) {
            all.addAll(list);
        } else if (configured != null && !configured.toString().isBlank()) {
            all.addAll(List.of(configured.toString().split("\\s*,\\s*")));
        }
        all.add(SigningInterceptor.class.getName());
        return all;
    }

    /** Returns whether the records of a topic are signed. */
    boolean covers(String topic) {
        return topics.contains(topic);
    }

    /** Returns the content of the header: the id of the key in use, {@code :}, and the HMAC. */
    byte[] sign(String topic, byte @Nullable [] key, byte @Nullable [] value) {
        HmacKey inUse = keys.get(0);
        byte[] id = (inUse.id() + ":").getBytes(StandardCharsets.US_ASCII);
        byte[] hash = hash(inUse, topic, key, value);
        return ByteBuffer.allocate(id.length + hash.length).put(id).put(hash).array();
    }

    /** Returns why a record may not be used; {@code null} when it may. */
    public @Nullable String refusal(ConsumerRecord<byte[], byte[]> record) {
        if (!topics.contains(record.topic())) {
            return null;
        }
        Header header = record.headers().lastHeader(HEADER);
        if (header == null) {
            return acceptUnsigned ? null : "is not signed";
        }
        byte[] found = header.value();
        for (HmacKey key : keys) {
            byte[] id = (key.id() + ":").getBytes(StandardCharsets.US_ASCII);
            byte[] hash = hash(key, record.topic(), record.key(), record.value());
            byte[] expected = ByteBuffer.allocate(id.length + hash.length)
                    .put(id)
                    .put(hash)
                    .array();
            if (MessageDigest.isEqual(expected, found)) {
                return null;
            }
        }
        return "has a signature that does not fit it, or of another key than " + keys;
    }

    private static byte[] hash(HmacKey key, String topic, byte @Nullable [] recordKey, byte @Nullable [] value) {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        // with their lengths: the end of one part cannot become the beginning of the next
        return key.hash(length(name), name, length(recordKey), bytes(recordKey), length(value), bytes(value));
    }

    private static byte[] length(byte @Nullable [] part) {
        return ByteBuffer.allocate(Integer.BYTES)
                .putInt(part == null ? -1 : part.length)
                .array();
    }

    private static byte[] bytes(byte @Nullable [] part) {
        return part == null ? NOTHING : part;
    }

    /** Returns the ids of the keys only. */
    @Override
    public String toString() {
        return keys + " for " + topics + (acceptUnsigned ? ", unsigned records accepted" : "");
    }
}
