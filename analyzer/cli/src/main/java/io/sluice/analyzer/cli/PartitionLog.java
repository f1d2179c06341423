package io.sluice.analyzer.cli;

import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.Lines;
import io.sluice.contract.topic.OffsetRange;
import io.sluice.contract.topic.TopicReader;
import io.sluice.settings.SourceSettings;
import java.util.function.Supplier;

/**
 * A range of a partition's records as a log.
 *
 * @param readers makes a reader for each reading
 */
record PartitionLog(Supplier<TopicReader> readers, OffsetRange range, SourceSettings source) implements AccessLog {

    @Override
    public String name() {
        return range.partition().toString();
    }

    @Override
    public Lines lines() {
        return new PartitionLines(this);
    }
}
