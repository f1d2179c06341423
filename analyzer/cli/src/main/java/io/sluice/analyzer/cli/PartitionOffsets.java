package io.sluice.analyzer.cli;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Offsets of partitions. Each partition is answered on its own: one without a leader does not keep back those of the others.
 *
 * @param known the offset of each partition whose leader answered
 * @param unanswered the names of the others, sorted
 */
record PartitionOffsets(Map<TopicPartition, Long> known, Set<String> unanswered) {
    /**
     * Asks the leader of each partition.
     *
     * @param timeout how long the leaders may take
     * @throws ExecutionException when the question itself is rejected, such as for want of rights
     */
    static PartitionOffsets of(Admin admin, Collection<TopicPartition> partitions, OffsetSpec spec, Duration timeout)
            throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, spec));
        ListOffsetsResult answers =
                admin.listOffsets(asked, new ListOffsetsOptions().timeoutMs((int) timeout.toMillis()));
        Map<TopicPartition, Long> known = new HashMap<>();
        Set<String> unanswered = new TreeSet<>();
        for (TopicPartition partition : partitions) {
            try {
                known.put(partition, answers.partitionResult(partition).get().offset());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw e;
                }
                unanswered.add(partition.toString());
            }
        }
        return new PartitionOffsets(known, unanswered);
    }
}
