package io.sluice.contract.topic;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Offsets of partitions. Each partition is answered on its own: one without a leader does not keep back those of the others.
 *
 * @param known the offset of each partition whose leader answered
 * @param unanswered the names of the others, sorted
 */
public record PartitionOffsets(Map<TopicPartition, ListOffsetsResultInfo> known, Set<String> unanswered) {
    /**
     * Asks the leader of each partition, and waits for the answers.
     *
     * @throws org.apache.kafka.common.KafkaException when the request itself is rejected, such as for want of rights
     */
    public static PartitionOffsets of(
            Admin admin, Collection<TopicPartition> partitions, OffsetSpec spec, ListOffsetsOptions options) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, spec));
        ListOffsetsResult answers = admin.listOffsets(asked, options);
        Map<TopicPartition, ListOffsetsResultInfo> known = new LinkedHashMap<>();
        Set<String> unanswered = new TreeSet<>();
        for (TopicPartition partition : partitions) {
            try {
                known.put(partition, Broker.answer(answers.partitionResult(partition)));
            } catch (RetriableException e) {
                unanswered.add(partition.toString());
            }
        }
        return new PartitionOffsets(known, unanswered);
    }
}
