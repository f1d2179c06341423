package io.sluice.faults.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What stood on topics once, as text: a line for the newest record of each key, as compaction would leave it. Bytes of one day
 * are kept so that a later day's code can be held against them.
 *
 * @param records in the order in which they stood in their partitions
 */
public record KeptRecords(List<Kept> records) {
    private static final HexFormat HEX = HexFormat.of();
    private static final String NONE = "-";

    /** One record; {@code time} in epoch milliseconds. */
    public record Kept(String topic, int partition, long time, String key, String value) {}

    public KeptRecords {
        records = List.copyOf(records);
    }

    /** Takes what stands there now; tombstones are left out with what they delete. */
    public static KeptRecords of(String bootstrap, Set<String> topics) {
        Map<String, Kept> newest = new LinkedHashMap<>();
        for (String topic : new TreeSet<>(topics)) {
            TopicHistory.read(bootstrap, topic, record -> {
                String key = record.key() == null ? NONE : HEX.formatHex(record.key());
                String place = topic + " " + record.partition() + " " + key;
                newest.remove(place);
                if (record.value() != null) {
                    newest.put(
                            place,
                            new Kept(
                                    topic, record.partition(), record.timestamp(), key, HEX.formatHex(record.value())));
                }
            });
        }
        return new KeptRecords(new ArrayList<>(newest.values()));
    }

    /** Reads what {@link #write} wrote. */
    public static KeptRecords read(Path file) {
        try {
            List<Kept> records = new ArrayList<>();
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", -1);
                records.add(
                        new Kept(words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]), words[3], words[4]));
            }
            return new KeptRecords(records);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line each: topic, partition, time, key and value, the last two as hexadecimal digits. */
    public void write(Path file) {
        StringBuilder text = new StringBuilder();
        records.forEach(it -> text.append(it.topic + " " + it.partition + " " + it.time + " " + it.key + " " + it.value)
                .append('\n'));
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The time of the newest record, epoch milliseconds. */
    public long newest() {
        return records.stream().mapToLong(Kept::time).max().orElse(0);
    }

    /** Puts everything back where it was; topics that are missing are made, compacted as a changelog is. */
    public void bring(String bootstrap, int partitions) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(), new ByteArraySerializer())) {
            Set<String> missing =
                    new TreeSet<>(records.stream().map(Kept::topic).toList());
            missing.removeAll(admin.listTopics().names().get());
            admin.createTopics(missing.stream()
                            .map(topic -> new NewTopic(topic, Optional.of(partitions), Optional.empty())
                                    .configs(Map.of("cleanup.policy", "compact")))
                            .toList())
                    .all()
                    .get();
            for (Kept it : records) {
                byte[] key = it.key.equals(NONE) ? null : HEX.parseHex(it.key);
                producer.send(new ProducerRecord<>(it.topic, it.partition, it.time, key, HEX.parseHex(it.value)))
                        .get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
