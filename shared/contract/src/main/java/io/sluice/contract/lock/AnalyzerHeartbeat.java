package io.sluice.contract.lock;

import io.sluice.contract.key.CompositeKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A decide task's sign of life, written each second to its own gate-locks partition. Its append time gives every reader
 * that partition's broker time.
 *
 * <p>The three maps together take at most 60 KiB as JSON, so that every reader accepts the record, however many services and
 * policies there are. Beyond that, the entries with the lowest counts are left out: at first of {@code active}, which makes
 * guards open fewer locks, and only then of {@code enforced}. Immutable.
 *
 * @param version the task, its epoch and sequence number
 * @param instance the analyzer instance that runs the task
 * @param time the writer's own wall clock, epoch milliseconds, for people only
 * @param liveAgents how many agents of each service are alive, for {@link Mode#THROTTLE}; at most 24 KiB as JSON
 * @param active about how many subjects of each policy the task sees, for the guard of the other tasks
 * @param enforced how many locks of each policy it holds that close a gate, for the same
 * @param refused how many objects of the instance's state found no room in the heap since it began, 0 or more; for people
 * @param positions whether the task follows the positions of meters on the loads topic; if not, meters write theirs to its usage partition
 * @param agentsPart whether {@code liveAgents} has only some of the services; other heartbeats have the others
 * @param countsPart whether {@code active} and {@code enforced} have only some of the policies; the task's next heartbeats have the others
 */
public record AnalyzerHeartbeat(
        Version version,
        String instance,
        long time,
        Map<String, Integer> liveAgents,
        Map<String, Integer> active,
        Map<String, Integer> enforced,
        long refused,
        boolean positions,
        boolean agentsPart,
        boolean countsPart)
        implements GateRecord {
    /** Begins the name of a decide task. The number of its partition of gate-locks, which it alone writes, ends it. */
    public static final String TASK = "decide-";

    /** The most bytes of {@code liveAgents} as JSON. */
    public static final int MOST_AGENT_BYTES = 24 * 1024;

    /** The most bytes of all maps as JSON: 4 KiB less than a reader accepts, which is ample for the other fields. */
    private static final int MOST_BYTES = 60 * 1024;

    private static final Comparator<Map.Entry<String, Integer>> HIGHEST_FIRST =
            Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey());

    /** @throws IllegalArgumentException when {@code refused} is negative */
    public AnalyzerHeartbeat {
        if (refused < 0) {
            throw new IllegalArgumentException("refused is " + refused + ", 0 or more is allowed");
        }
        liveAgents = highest(liveAgents, MOST_AGENT_BYTES);
        enforced = highest(enforced, MOST_BYTES - bytes(liveAgents));
        active = highest(active, MOST_BYTES - bytes(liveAgents) - bytes(enforced));
    }

    /** One of a task that reads positions from its usage partition. */
    public AnalyzerHeartbeat(
            Version version,
            String instance,
            long time,
            Map<String, Integer> liveAgents,
            Map<String, Integer> active,
            Map<String, Integer> enforced,
            long refused) {
        this(version, instance, time, liveAgents, active, enforced, refused, false, false, false);
    }

    /** One of a task whose state has room. */
    public AnalyzerHeartbeat(
            Version version,
            String instance,
            long time,
            Map<String, Integer> liveAgents,
            Map<String, Integer> active,
            Map<String, Integer> enforced) {
        this(version, instance, time, liveAgents, active, enforced, 0);
    }

    /** One without counts for guards. */
    public AnalyzerHeartbeat(Version version, String instance, long time, Map<String, Integer> liveAgents) {
        this(version, instance, time, liveAgents, Map.of(), Map.of());
    }

    /** The entries with the highest counts that take at most so many bytes; all of them, as a rule. */
    private static Map<String, Integer> highest(Map<String, Integer> counts, int mostBytes) {
        if (bytes(counts) <= mostBytes) {
            return Map.copyOf(counts);
        }
        List<Map.Entry<String, Integer>> sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(HIGHEST_FIRST);
        Map<String, Integer> highest = new HashMap<>();
        int left = mostBytes;
        for (Map.Entry<String, Integer> entry : sorted) {
            left -= bytes(entry);
            if (left < 0) {
                break;
            }
            highest.put(entry.getKey(), entry.getValue());
        }
        return Map.copyOf(highest);
    }

    /** Returns the bytes of counts as JSON. */
    static int bytes(Map<String, Integer> counts) {
        return counts.entrySet().stream().mapToInt(AnalyzerHeartbeat::bytes).sum();
    }

    /** An entry as JSON. A key in brackets is as long as one with its colon and comma. */
    static int bytes(Map.Entry<String, Integer> entry) {
        return CompositeKey.bytes(List.of(entry.getKey())).length
                + Integer.toString(entry.getValue()).length();
    }
}
