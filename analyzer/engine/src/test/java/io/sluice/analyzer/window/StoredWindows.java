package io.sluice.analyzer.window;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.UsageKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What a decide task has counted, read from the changelog of its windows. */
public final class StoredWindows {
    /** Kafka Streams adds the time at which a block begins and a sequence number to its key. */
    private static final int SUFFIX = Long.BYTES + Integer.BYTES;

    private final Shape shape;
    private final Map<UsageKey, Map<Long, Block>> blocks = new HashMap<>();

    public StoredWindows(Window window, long slackMillis) {
        shape = Shape.of(window, slackMillis);
    }

    /** Whether a record of the changelog is about a subject. */
    public static boolean ofSubject(byte[] key, byte[] value) {
        return key[0] == 's' && value != null;
    }

    /** Takes note of a subject's record; a later one of the same block stands in its place. */
    public UsageKey read(byte[] key, byte[] value) throws MalformedRecord {
        long start = ByteBuffer.wrap(key).getLong(key.length - SUFFIX);
        long number = shape.block(shape.window().paneOf(start));
        UsageKey subject = UsageKey.read(Arrays.copyOfRange(key, 1, key.length - SUFFIX));
        blocks.computeIfAbsent(subject, any -> new TreeMap<>())
                .put(number, Block.decode(value, shape, number).block());
        return subject;
    }

    /** What a subject's window holds that ends with a pane. */
    public long admitted(UsageKey subject, long lastPane) {
        return blocks.getOrDefault(subject, Map.of()).values().stream()
                .mapToLong(block -> block.sum(Block.ADMITTED, shape.firstPane(lastPane), lastPane))
                .sum();
    }

    /** Of each subject, the admitted sums of the panes in which something was admitted. */
    public Map<UsageKey, Map<Long, Long>> admitted() {
        Map<UsageKey, Map<Long, Long>> sums = new HashMap<>();
        blocks.forEach((key, its) -> its.values().forEach(block -> {
            for (long pane = block.paneFrom(0); pane != Long.MAX_VALUE; pane = block.paneFrom(pane + 1)) {
                sums.computeIfAbsent(key, any -> new TreeMap<>()).put(pane, block.sum(Block.ADMITTED, pane, pane));
            }
        }));
        return sums;
    }
}
