package io.sluice.analyzer.cli;

import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.Lines;
import io.sluice.settings.SourceSettings;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * A range of a partition's offsets. As long as retention leaves it alone, it holds the same records at each reading.
 *
 * @param client a consumer's settings
 * @param begin the first offset
 * @param end the offset after the last
 */
record PartitionLog(Map<String, Object> client, TopicPartition partition, long begin, long end, SourceSettings source)
        implements AccessLog {

    @Override
    public String name() {
        return partition.toString();
    }

    @Override
    public Lines lines() {
        return new PartitionLines(this);
    }
}
