package io.sluice.analyzer.topology;

import io.sluice.analyzer.decide.UsageTask;
import io.sluice.analyzer.detect.Standing;
import io.sluice.analyzer.detect.Standings;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.window.Panes;
import io.sluice.analyzer.window.Retention;
import io.sluice.analyzer.window.Shape;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.query.WindowKeyQuery;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the windows, baselines and debts of subjects for people, and knows which instance has which. Thread-safe.
 *
 * <p>The tasks keep what is hot in heap and write it behind at each commit. So what stands in the store is a commit interval old (200 ms, more
 * only where the log is read far behind its end), and Kafka Streams lets other threads read it (interactive queries, KIP-796): two point reads in RocksDB, which the task that
 * writes there neither waits for nor knows of. Asking the task itself would be fresher by that fifth of a second and would take its time.
 */
public final class StoredWindows {
    private final KafkaStreams streams;
    private final int partitions;
    private final long slack;
    private final LoadBook loads;

    /** The windows are not to be had here and now. */
    public static final class NotHere extends Exception {
        private static final long serialVersionUID = 1;

        NotHere(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * @param partitions of the usage topic
     * @param slackMillis lateness and skew, as the tasks have them
     * @param loads the newest load of every group
     */
    public StoredWindows(KafkaStreams streams, int partitions, long slackMillis, LoadBook loads) {
        this.loads = loads;
        this.streams = streams;
        this.partitions = partitions;
        this.slack = slackMillis;
    }

    /** Which instance works on a subject, by its {@code application.server}; nothing while tasks move. */
    public Optional<HostInfo> owner(Policy policy, List<String> subject) {
        UsageKey key = new UsageKey(policy.revision(), subject);
        try {
            KeyQueryMetadata found = streams.queryMetadataForKey(
                    store(policy), key, (topic, any, value, many) -> Optional.of(Set.of(partition(key))));
            // null where no instance has the store yet, whatever the method's contract
            return found == null || found.equals(KeyQueryMetadata.NOT_AVAILABLE)
                    ? Optional.empty()
                    : Optional.of(found.activeHost());
        } catch (IllegalStateException | InvalidStateStoreException e) {
            return Optional.empty();
        }
    }

    /**
     * A subject's window, if a task of this process has it.
     *
     * @param time the window ends with the pane of this time, epoch milliseconds
     */
    public Panes read(Policy policy, List<String> subject, long time) throws NotHere {
        UsageKey key = new UsageKey(policy.revision(), subject);
        Shape shape = Shape.of(policy, slack);
        try {
            return Panes.read(
                    new Store(partition(key)),
                    UsageTask.WINDOWS,
                    key,
                    shape,
                    policy.window().paneOf(time));
        } catch (Unanswered e) {
            throw new NotHere(String.valueOf(e.getMessage()));
        }
    }

    /** The window that ends where the one of {@code time} begins; empty where the store does not keep it any more. */
    public Optional<Panes> readEarlier(Policy policy, List<String> subject, long time) throws NotHere {
        return Shape.of(policy, slack).keepsEarlier()
                ? Optional.of(read(policy, subject, time - policy.window().millis()))
                : Optional.empty();
    }

    /** How a subject stands against each condition of its lock rule, given its window. */
    public List<List<Standing>> standings(Policy policy, List<String> subject, Panes window, long time) throws NotHere {
        try {
            return new Standings(new Store(partition(new UsageKey(policy.revision(), subject))), loads)
                    .of(policy, subject, window, time);
        } catch (Unanswered e) {
            throw new NotHere(String.valueOf(e.getMessage()));
        }
    }

    private int partition(UsageKey key) {
        return Partitions.of(key.partitionKey(), partitions);
    }

    private String store(Policy policy) {
        return Names.windows(Retention.of(policy.window(), slack));
    }

    /** One task's stores, from another thread. */
    private final class Store implements WindowStore {
        private final int partition;

        private Store(int partition) {
            this.partition = partition;
        }

        @Override
        public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
            Instant at = Instant.ofEpochMilli(blockStart);
            WindowKeyQuery<Bytes, byte[]> query = WindowKeyQuery.withKeyAndWindowStartRange(Bytes.wrap(key), at, at);
            try {
                QueryResult<WindowStoreIterator<byte[]>> result = streams.query(
                                StateQueryRequest.inStore(Names.windows(retention))
                                        .withQuery(query)
                                        .withPartitions(Set.of(partition))
                                        .requireActive())
                        .getPartitionResults()
                        .get(partition);
                if (result == null || result.isFailure()) {
                    throw new Unanswered(
                            result == null ? "the task is not here" : String.valueOf(result.getFailureMessage()));
                }
                try (WindowStoreIterator<byte[]> found = result.getResult()) {
                    return found.hasNext() ? found.next().value : null;
                }
            } catch (IllegalStateException | InvalidStateStoreException e) {
                // closed or moved while we read
                throw new Unanswered(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void write(Retention retention, byte[] key, long blockStart, byte[] block) {
            throw new UnsupportedOperationException("it only reads");
        }
    }

    private static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unanswered(String message) {
            super(message);
        }
    }
}
