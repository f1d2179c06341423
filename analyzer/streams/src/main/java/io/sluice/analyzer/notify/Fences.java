package io.sluice.analyzer.notify;

import io.sluice.contract.lock.LockValidity;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The epoch fence of each partition. It is committed with the offset, as its metadata: a consumer that takes a partition
 * over reads on in the middle, and would take an earlier incarnation's records for the newest. One thread.
 */
final class Fences {
    // the broker's default limit is 4,096 bytes; a partition has one task, unless records are forged
    private static final int MOST_CHARACTERS = 1_000;

    private final Map<TopicPartition, LockValidity> fences = new HashMap<>();

    LockValidity of(TopicPartition partition) {
        return fences.computeIfAbsent(partition, any -> new LockValidity());
    }

    /** Forgets all: the partitions are assigned anew. */
    void clear() {
        fences.clear();
    }

    /** Offset to commit when everything before {@code offset} has been handled. */
    OffsetAndMetadata commit(TopicPartition partition, long offset) {
        StringJoiner epochs = new StringJoiner(" ");
        of(partition).epochs().forEach((task, epoch) -> {
            if (epochs.length() + task.length() < MOST_CHARACTERS && !task.contains(" ")) {
                epochs.add(task + "=" + epoch);
            }
        });
        return new OffsetAndMetadata(offset, epochs.toString());
    }

    /** Takes over what was committed. What isn't ours is passed over. */
    void restore(TopicPartition partition, @Nullable OffsetAndMetadata committed) {
        Map<String, Long> epochs = new HashMap<>();
        for (String entry :
                committed == null ? new String[0] : committed.metadata().split(" ", -1)) {
            if (entry.matches(".+=[0-9]{1,18}")) {
                int equals = entry.lastIndexOf('=');
                epochs.put(entry.substring(0, equals), Long.parseLong(entry.substring(equals + 1)));
            }
        }
        of(partition).epochs(epochs);
    }
}
