package io.sluice.analyzer.cli;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.topic.TopicReader;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the originals of dead letters again, each at most once: see {@link RetryMarks}. What is judged is the whole original, for a dead
 * letter holds its beginning only.
 */
final class Retry {
    /** On a record that was sent again: the dead letter. */
    static final String RETRIED = "sluice.retried";

    private final Connection connection;
    private final LetterBox box;
    private final boolean anyway;
    private final Map<String, LogFormat> formats = new HashMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final String attempt = UUID.randomUUID().toString();

    /** Result of a retry. */
    record Outcome(Letter letter, boolean sent, String note) {}

    private record Ready(Letter letter, ConsumerRecord<byte[], byte[]> original, String note) {}

    Retry(Connection connection, LetterBox box, boolean anyway) throws InvalidSettings {
        this.connection = connection;
        this.box = box;
        this.anyway = anyway;
        for (SourceSettings source : connection.settings().sources()) {
            formats.put(source.topic(), LogFormats.of(source));
        }
    }

    /**
     * Records that are sent, or would be.
     *
     * @param dry only look
     */
    List<Outcome> run(List<Letter> letters, boolean dry) throws InvalidSettings, Refused, InterruptedException {
        Map<Letter.Origin, Ready> ready = new LinkedHashMap<>();
        connection.read(originals -> {
            for (Letter letter : letters) {
                if (ready.containsKey(letter.origin())) {
                    no(letter, "another dead letter of the same original is tried");
                } else {
                    Ready found = judge(letter, originals);
                    if (found != null) {
                        ready.put(letter.origin(), found);
                    }
                }
            }
        });
        if (dry) {
            ready.values().forEach(it -> outcomes.add(new Outcome(it.letter, false, "would be sent" + it.note)));
        } else if (!ready.isEmpty()) {
            send(new ArrayList<>(ready.values()));
        }
        return outcomes;
    }

    private void no(Letter letter, String why) {
        outcomes.add(new Outcome(letter, false, why));
    }

    /** The original, if it is there, was not sent again before and can be read by now; else {@code null}, and why is noted. */
    private @Nullable Ready judge(Letter letter, TopicReader originals) throws InvalidSettings {
        RetryMarks.Mark mark = box.marks().of(letter.origin());
        if (mark != null) {
            no(letter, "tried again already, by " + mark.by() + " at " + Spans.time(mark.append()));
            return null;
        }
        LogFormat format = formats.get(letter.origin().topic());
        if (format == null) {
            no(letter, letter.origin().topic() + " is no access log of these settings: nothing of it is sent again");
            return null;
        }
        TopicPartition partition =
                new TopicPartition(letter.origin().topic(), letter.origin().partition());
        ConsumerRecord<byte[], byte[]> original =
                originals.record(partition, letter.origin().offset());
        if (original == null) {
            no(
                    letter,
                    originals.leaderless().contains(partition.toString())
                            ? "no leader answers for " + partition
                            : "the original is gone from " + partition.topic() + ": retention took it");
            return null;
        }
        try {
            return new Ready(letter, original, late(read(format, original.value())));
        } catch (MalformedRecord e) {
            if (anyway) {
                return new Ready(letter, original, ", though it still can't be read: " + e.getMessage());
            }
            no(letter, "still can't be read: " + e.getMessage() + "; --anyway sends it all the same");
            return null;
        }
    }

    private static RequestEvent read(LogFormat format, byte @Nullable [] value) throws MalformedRecord {
        if (value == null) {
            throw new MalformedRecord("no value");
        }
        try {
            return format.read(value);
        } catch (RuntimeException e) {
            throw new MalformedRecord("the format failed: " + e.getClass().getName());
        }
    }

    private String late(RequestEvent event) throws InvalidSettings {
        AnalyzerSettings analyzer = connection.settings().analyzer();
        EventTimes times = new EventTimes(analyzer.skew(), analyzer.lateness());
        boolean late = times.of(event.time(), System.currentTimeMillis()) == EventTimes.LATE;
        return late ? "; too old to be metered: the analyzer counts it as late" : "";
    }

    private void send(List<Ready> ready) throws InvalidSettings, Refused, InterruptedException {
        Map<String, Object> client = new HashMap<>(connection.client());
        client.put("max.block.ms", client.remove("default.api.timeout.ms"));
        client.put("delivery.timeout.ms", (int) Connection.PATIENCE.toMillis());
        client.put("linger.ms", 0);
        client.put("acks", "all");
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> marks = new ArrayList<>();
            for (Ready each : ready) {
                marks.add(producer.send(RetryMarks.mark(
                        connection.topics().deadLetters(), each.letter.origin(), attempt, Author.name())));
            }
            for (Future<RecordMetadata> mark : marks) {
                mark.get();
            }
            box.again(connection);
            for (Ready each : ready) {
                copy(each, producer);
            }
        } catch (ExecutionException | KafkaException e) {
            throw connection.unreachable(e);
        }
    }

    private void copy(Ready each, KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
        RetryMarks.Mark mark = box.marks().of(each.letter.origin());
        if (mark == null || !mark.attempt().equals(attempt)) {
            no(each.letter, "another command is sending it right now");
            return;
        }
        ConsumerRecord<byte[], byte[]> original = each.original;
        var copy = new ProducerRecord<>(
                original.topic(), original.partition(), original.key(), original.value(), original.headers());
        copy.headers().remove(RETRIED).add(RETRIED, each.letter.id().getBytes(StandardCharsets.UTF_8));
        try {
            RecordMetadata sent = producer.send(copy).get();
            outcomes.add(new Outcome(
                    each.letter,
                    true,
                    "sent again as " + sent.topic() + "-" + sent.partition() + "@" + sent.offset() + each.note));
        } catch (ExecutionException | KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            no(
                    each.letter,
                    "marked as tried, but not known to have been sent, and never tried again by itself: "
                            + cause.getMessage());
        }
    }
}
