package io.sluice.agent.internal.log;

import io.sluice.contract.key.Partitions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Chooses the partition of access-log entries so that each caller's entries lie in few partitions: of the caller's candidates, the one to which
 * this process has sent least. All processes have the same candidates for a caller; the first is the partition that Kafka's producers choose for a
 * record with the caller as its key. One thread.
 *
 * @see <a href="https://doi.org/10.1109/ICDE.2015.7113279">Nasir et al., The Power of Both Choices: Practical Load Balancing for Distributed Stream
 *     Processing Engines (partial key grouping)</a>
 */
public final class CallerPartitions {
    /** The result if any partition will do. */
    public static final int ANY = -1;

    private final int spread;
    private long[] sent = {};

    /** @param spread how many partitions a caller's entries may lie in, 1 to 16 */
    public CallerPartitions(int spread) {
        this.spread = spread;
    }

    /**
     * Chooses a partition and counts the entry as sent to it.
     *
     * @param available the partitions that have a leader
     * @param partitions of the topic, at least 1
     * @return from 0 to {@code partitions} − 1, or {@link #ANY} if the topic has no more partitions than a caller may use, or no candidate is available
     */
    public int choose(String caller, BitSet available, int partitions) {
        if (partitions <= spread) {
            return ANY;
        }
        count(partitions);
        byte[] name = caller.getBytes(StandardCharsets.UTF_8);
        BitSet seen = new BitSet(partitions);
        int chosen = ANY;
        for (int i = 0; i < spread; i++) {
            byte[] key = i == 0 ? name : Arrays.copyOf(name, name.length + i);
            int first = Partitions.of(key, partitions);
            int free = seen.nextClearBit(first);
            int candidate = free < partitions ? free : seen.nextClearBit(0);
            seen.set(candidate);
            if (available.get(candidate) && (chosen == ANY || sent[candidate] < sent[chosen])) {
                chosen = candidate;
            }
        }
        if (chosen != ANY) {
            sent[chosen]++;
        }
        return chosen;
    }

    private void count(int partitions) {
        if (sent.length < partitions) {
            int before = sent.length;
            long least = Arrays.stream(sent).min().orElse(0);
            sent = Arrays.copyOf(sent, partitions);
            // otherwise new partitions would get everything until they have caught up
            Arrays.fill(sent, before, partitions, least);
        }
    }
}
