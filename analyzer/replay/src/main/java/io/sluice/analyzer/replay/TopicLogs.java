package io.sluice.analyzer.replay;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the logs of a topic come from; a replay itself knows no Kafka. */
public interface TopicLogs {

    /**
     * A log for each partition that holds something of the time asked for, up to the topic's end as it is now.
     *
     * @param warnings where partitions are named that cannot be read
     * @throws IOException when there is no such topic, no answer, or nothing to read; the message is for the user
     */
    List<AccessLog> open(Wanted wanted, PrintWriter warnings) throws IOException;

    /**
     * Part of a topic to read, and its format.
     *
     * @param config the settings' file, or {@code null} for the default one
     * @param bootstrap the address of Kafka in place of the configured one, or {@code null}
     * @param sinceMillis how far back from now, in milliseconds
     * @param format in place of the configured one, or {@code null}
     * @param callers in place of the configured ones; empty: those
     */
    record Wanted(
            @Nullable Path config,
            @Nullable String bootstrap,
            String topic,
            long sinceMillis,
            @Nullable String format,
            List<String> callers) {}
}
