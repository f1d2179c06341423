package io.sluice.analyzer.topology;

import static org.apache.kafka.common.config.TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_MS_CONFIG;

import io.sluice.analyzer.window.Retention;
import java.util.Map;

/**
 * The settings of the changelogs that Kafka Streams creates for our stores. Brokers neither compact nor delete the segment
 * that is being written, and keep it for a week or a gigabyte by default. A window's block is written again at each commit,
 * so until then a changelog is several times as large as the state, and all of it is read when the state is lost.
 */
final class Changelogs {
    private static final long TEN_MINUTES = 600_000;

    /** Of a retention, so that what is past it is held only a fifth longer. */
    private static final int PARTS = 5;

    private static final long SEGMENT_BYTES = 32L << 20;

    /** Compaction begins when a fifth of a changelog is out of date, not half. */
    private static final double DIRTY = 0.2;

    private Changelogs() {}

    /** Of a store of windows that are kept this long. */
    static Map<String, String> windows(Retention retention) {
        return settings(Math.min(TEN_MINUTES, retention.millis() / PARTS));
    }

    /** Of a store of which only the latest value of a key matters. */
    static Map<String, String> latest() {
        return settings(TEN_MINUTES);
    }

    private static Map<String, String> settings(long segmentMillis) {
        return Map.of(
                SEGMENT_MS_CONFIG, Long.toString(segmentMillis),
                SEGMENT_BYTES_CONFIG, Long.toString(SEGMENT_BYTES),
                MIN_CLEANABLE_DIRTY_RATIO_CONFIG, Double.toString(DIRTY));
    }
}
