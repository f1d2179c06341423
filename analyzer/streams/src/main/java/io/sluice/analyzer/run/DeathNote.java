package io.sluice.analyzer.run;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.jspecify.annotations.Nullable;

/** Describes why a run of Kafka Streams ended, for operators. */
final class DeathNote {
    /** Of the producer's error when a commit has timed out and something else is asked of it. */
    private static final String RETRY = "timed out and must be retried";

    private DeathNote() {}

    static String of(Throwable failure, Path directory, String instance) {
        if (CorruptState.diskFull(failure)) {
            return noRoom(directory);
        }
        Optional<Path> broken = CorruptState.taskDirectory(failure, directory);
        if (broken.isPresent()) {
            return "the state in " + broken.get() + " is broken (" + root(failure)
                    + "); it is deleted, and rebuilt from its changelog at the next start";
        }
        if (within(failure, FencedInstanceIdException.class)) {
            return "another process has joined as analyzer.instance '" + instance
                    + "' and replaced this one; give each analyzer a name of its own";
        }
        return topicGone(failure)
                ? "a topic that the analyzer reads " + TopicWatch.DELETED
                : "the analyzer died: " + root(failure);
    }

    static String noRoom(Path directory) {
        return "analyzer.state-dir: no space left on device for " + directory
                + "; make room and start again: what was not committed is read again";
    }

    static boolean topicGone(@Nullable Throwable failure) {
        return within(failure, MissingSourceTopicException.class);
    }

    /**
     * Returns whether an outage of Kafka was the cause, so that a new run can go on. In an outage clients time out. Under exactly-once a commit is
     * retried instead and fails after the outage: the group has removed this instance, the transaction was aborted (KIP-1050 calls such errors
     * recoverable by the application), or the producer has given up records of it, which is a plain {@link KafkaException} without a cause. A transaction
     * is also aborted when this process stood still for longer than it may last; its commit then meets an invalid state.
     */
    static boolean outage(@Nullable Throwable failure) {
        if (failure == null || within(failure, FencedInstanceIdException.class)) {
            return false;
        }
        Throwable root = root(failure);
        return within(failure, TimeoutException.class)
                || within(failure, CommitFailedException.class)
                || within(failure, ApplicationRecoverableException.class)
                || within(failure, InvalidTxnStateException.class)
                || root.getClass() == KafkaException.class
                || (root instanceof IllegalStateException
                        && String.valueOf(root.getMessage()).contains(RETRY));
    }

    private static boolean within(@Nullable Throwable failure, Class<? extends Throwable> what) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (what.isInstance(each)) {
                return true;
            }
        }
        return false;
    }

    static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
