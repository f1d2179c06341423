package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Reads the decision log for a command. */
final class Decisions {
    /** So many of the newest are shown. */
    static final int MOST = 100_000;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Decisions() {}

    /**
     * @param key the elements of one key, {@code null} for all
     * @param since append time, epoch milliseconds
     */
    static DecisionLog.Found read(
            Connection connection, @Nullable List<String> key, Predicate<List<String>> wanted, long since)
            throws InvalidSettings, Refused {
        DecisionLog log =
                new DecisionLog(connection.client(), connection.topics().decisions());
        try {
            DecisionLog.Found found = log.read(new DecisionLog.Query(key, wanted, since, MOST), PATIENCE);
            connection.warn(Connection.leaderless(found.leaderless()));
            return found;
        } catch (IOException e) {
            if (e.getCause() instanceof KafkaException failure) {
                throw connection.unreachable(failure);
            }
            throw new Refused(String.valueOf(e.getMessage()));
        }
    }
}
