package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.PartitionLog;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.TopicLogs;
import io.sluice.contract.topic.TopicReader;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.IsolationLevel;
import org.jspecify.annotations.Nullable;

/** Finds what a topic holds of a time: for each partition the offsets from the first record of that time to the end. */
final class KafkaLogs implements TopicLogs {

    @Override
    public List<AccessLog> open(Wanted wanted, PrintWriter warnings) throws IOException {
        Connection connection = new Connection();
        connection.config = wanted.config();
        connection.bootstrap = wanted.bootstrap();
        connection.err = warnings;
        try {
            SourceSettings source = source(connection, wanted);
            return logs(connection, wanted, source);
        } catch (InvalidSettings | Refused e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The analyzer's source of the topic, where there is one; options override it. */
    private static SourceSettings source(Connection connection, Wanted wanted) throws InvalidSettings, IOException {
        SourceSettings found = connection.settings().sources().stream()
                .filter(source -> source.topic().equals(wanted.topic()))
                .findFirst()
                .orElse(null);
        SourceSettings source = found == null ? unknown(connection, wanted) : given(found, wanted);
        try {
            LogFormats.of(source);
        } catch (IllegalArgumentException e) {
            throw new IOException("topic " + wanted.topic() + ": " + e.getMessage(), e);
        }
        return source;
    }

    private static SourceSettings given(SourceSettings found, Wanted wanted) {
        @Nullable String format = wanted.format();
        boolean otherCallers = !wanted.callers().isEmpty();
        return new SourceSettings(
                found.topic(),
                format == null ? found.format() : format,
                otherCallers ? wanted.callers() : found.caller(),
                found.service(),
                // a setting of one field does not hold for another
                otherCallers ? null : found.identity(),
                found.rejected(),
                found.fields(),
                found.labels(),
                found.routes(),
                null,
                null,
                found.ipv6Prefix());
    }

    private static SourceSettings unknown(Connection connection, Wanted wanted) throws InvalidSettings, IOException {
        String format = wanted.format();
        if (format == null) {
            throw new IOException("topic " + wanted.topic() + " is none of the sources in the settings ("
                    + String.join(
                            ", ",
                            connection.settings().sources().stream()
                                    .map(SourceSettings::topic)
                                    .toList())
                    + "): set the format with --format");
        }
        return new SourceSettings(
                wanted.topic(), format, wanted.callers(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
    }

    private static List<AccessLog> logs(Connection connection, Wanted wanted, SourceSettings source)
            throws InvalidSettings, Refused, IOException {
        // a name of its own on the broker, for quotas; not one request for a few lines each
        Map<String, Object> client = new HashMap<>(connection.client());
        client.put("client.id", "sluice-replay");
        client.putIfAbsent("max.poll.records", 5_000);
        Supplier<TopicReader> readers =
                () -> new TopicReader(client, IsolationLevel.READ_COMMITTED, Connection.ANSWER, Connection.PATIENCE);
        long from = System.currentTimeMillis() - wanted.sinceMillis();
        List<AccessLog> logs = new ArrayList<>();
        connection.read(reader -> reader.since(List.of(wanted.topic()), from).stream()
                .filter(range -> range.size() > 0)
                .forEach(range -> logs.add(new PartitionLog(readers, range, source))));
        if (logs.isEmpty()) {
            throw new IOException("topic " + wanted.topic() + " holds nothing of the last "
                    + Spans.text(wanted.sinceMillis()) + ": a longer --since reaches further back");
        }
        return logs;
    }
}
