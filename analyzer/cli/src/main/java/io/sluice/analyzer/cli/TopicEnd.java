package io.sluice.analyzer.cli;

import io.sluice.settings.InvalidSettings;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads topics from their beginning to their end, once. */
final class TopicEnd {
    private TopicEnd() {}

    static void read(Connection connection, List<String> topics, Consumer<ConsumerRecord<byte[], byte[]>> to)
            throws InvalidSettings, Refused {
        connection.read(reader -> reader.read(reader.since(topics, 0), to));
    }
}
