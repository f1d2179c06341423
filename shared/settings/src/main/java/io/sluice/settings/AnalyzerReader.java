package io.sluice.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads the section {@code analyzer}. */
final class AnalyzerReader {
    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600_000;

    /** With the greatest skew, windows of a day with four panes need all that is kept. */
    private static final long MOST_LATENESS = 59 * 60_000;

    /** The client's settings of how long a transaction may last; the first one wins. */
    private static final List<String> TRANSACTION_TIMEOUT =
            List.of("producer.transaction.timeout.ms", "transaction.timeout.ms");

    /** That of Kafka Streams. */
    private static final long DEFAULT_TRANSACTION = 10 * SECOND;

    /** Twice the longest time from one commit to the next of an analyzer that reads a backlog. */
    private static final long LEAST_TRANSACTION = 4 * SECOND;

    private static final long MOST_COMMIT = 60 * SECOND;

    private final Values values;
    private final KafkaSettings kafka;
    private final List<String> problems;

    /** @param kafka its transactions bound how often sums are committed */
    AnalyzerReader(Values values, KafkaSettings kafka, List<String> problems) {
        this.values = values;
        this.kafka = kafka;
        this.problems = problems;
    }

    AnalyzerSettings read() {
        String instance = values.optional("analyzer.instance");
        Path stateDir = values.path("analyzer.state-dir");
        boolean exactlyOnce = values.choice("analyzer.guarantee", List.of("at-least-once", "exactly-once"))
                .equals("exactly-once");
        return new AnalyzerSettings(
                instance != null ? instance : HostName.local(),
                stateDir != null ? stateDir : Path.of("data", "state"),
                values.number("analyzer.threads", 1, 64),
                values.number("analyzer.standbys", 0, 8),
                exactlyOnce,
                values.millis("analyzer.tick", 1, SECOND),
                exactlyOnce
                        ? commitOfTransactions(transaction(kafka.properties()))
                        : values.millis("analyzer.commit", 20, MOST_COMMIT),
                values.millis("analyzer.lateness", 0, MOST_LATENESS),
                values.millis("analyzer.skew", 0, 60 * SECOND),
                values.millis("analyzer.backlog", SECOND, HOUR),
                values.millis("analyzer.max-lease", 10 * SECOND, 24 * HOUR),
                values.bytes("analyzer.rocksdb-memory", 16L << 20, 1L << 40));
    }

    /**
     * Reads how often transactions are committed, at most each half of the time that one may last: a commit can come late, and the broker aborts a
     * transaction that is too old.
     *
     * @param transaction how long one may last, in milliseconds
     */
    private long commitOfTransactions(long transaction) {
        long commit = values.millis("analyzer.commit", 20, MOST_COMMIT);
        if (commit > transaction / 2) {
            values.problem(
                    "analyzer.commit",
                    values.text("analyzer.commit"),
                    "20 ms to " + transaction / 2
                            + " ms with analyzer.guarantee: exactly-once, where a transaction lasts"
                            + " from one commit to the next and Kafka aborts it after " + transaction
                            + " ms (producer.transaction.timeout.ms)");
        }
        return commit;
    }

    private long transaction(Map<String, String> client) {
        for (String name : TRANSACTION_TIMEOUT) {
            String set = client.get(name);
            // Kafka replaces ${…} by what its config.providers name
            if (set != null && !set.contains("${")) {
                long millis = set.strip().matches("\\d{1,9}") ? Long.parseLong(set.strip()) : 0;
                if (millis >= LEAST_TRANSACTION) {
                    return millis;
                }
                problems.add(values.text("kafka.properties-file") + ": " + name + ": found "
                        + (set.isBlank() ? "nothing" : set.strip())
                        + ", allowed is a whole number of milliseconds from "
                        + LEAST_TRANSACTION + " with analyzer.guarantee: exactly-once");
                return DEFAULT_TRANSACTION;
            }
        }
        return DEFAULT_TRANSACTION;
    }
}
