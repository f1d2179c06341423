package io.sluice.analyzer.main;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** When a group committed what it had read of a topic, as the broker has written it down. */
final class Commits {
    static final String TOPIC = "__consumer_offsets";
    /** Keys of later versions are not of offsets. */
    private static final int LAST_VERSION = 1;

    private final Map<Integer, List<Long>> times = new TreeMap<>();

    Commits(String group, String topic, List<ConsumerRecord<byte[], byte[]>> offsets) {
        for (ConsumerRecord<byte[], byte[]> record : offsets) {
            ByteBuffer key = ByteBuffer.wrap(record.key());
            if (key.getShort() <= LAST_VERSION
                    && text(key).equals(group)
                    && text(key).equals(topic)) {
                times.computeIfAbsent(key.getInt(), any -> new ArrayList<>()).add(record.timestamp());
            }
        }
    }

    private static String text(ByteBuffer from) {
        byte[] text = new byte[from.getShort()];
        from.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /**
     * The longest time in which a partition was read without a commit, milliseconds: between two commits, or from one to the end of its process. Times in
     * which no process read it do not count.
     *
     * @param since from when on there was something to be read all the time
     * @param kills of the processes that read it, in order; what comes after the last one does not count
     */
    long longestPause(long since, List<Long> kills) {
        long longest = 0;
        long begin = since;
        for (long kill : kills) {
            for (List<Long> all : times.values()) {
                long last = Long.MAX_VALUE;
                for (long time : all) {
                    if (time >= begin && time < kill) {
                        longest = Math.max(longest, time - last);
                        last = time;
                    }
                }
                longest = Math.max(longest, kill - last);
            }
            begin = kill;
        }
        return longest;
    }
}
