package io.sluice.analyzer.decide;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The active subjects and enforced locks of every decide task of the fleet, by policy, as their heartbeats report them. All tasks of a process
 * share them: with a thousand tasks, each would otherwise have to look at the heartbeats of all others. Thread-safe.
 */
public final class FleetCounts {
    /** Tasks that have, or had, counts. */
    private final Map<Integer, TaskCounts> tasks = new ConcurrentHashMap<>();

    private volatile Map<String, Long> windows = Map.of();

    /**
     * Counts of a task.
     *
     * @param former active subjects of its last epochs. Those of a policy count until the task has had time to see them again
     * @param end when its last epoch was found to have ended
     */
    private record TaskCounts(AnalyzerHeartbeat heartbeat, Map<String, Integer> former, long end) {}

    /** Takes the policies, whose windows tell how long a new epoch may take to see all active subjects. */
    public void policies(PolicySet set) {
        windows = set.policies().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Policy::name, policy -> policy.window().millis(), Math::max));
    }

    /**
     * Takes a heartbeat of a decide task, with all of its counts.
     *
     * @param append when the broker appended it, epoch milliseconds
     */
    public void heartbeat(AnalyzerHeartbeat heartbeat, long append) {
        int task = TaskHeartbeats.task(heartbeat.version());
        if (task >= 0) {
            tasks.compute(task, (number, known) -> next(known, heartbeat, append));
        }
    }

    private @Nullable TaskCounts next(@Nullable TaskCounts known, AnalyzerHeartbeat heartbeat, long append) {
        if (known == null) {
            boolean empty = heartbeat.active().isEmpty() && heartbeat.enforced().isEmpty();
            return empty ? null : new TaskCounts(heartbeat, Map.of(), append);
        }
        long epoch = known.heartbeat.version().epoch();
        if (epoch > heartbeat.version().epoch()) {
            return known; // from an earlier incarnation that has not stopped yet
        }
        return epoch == heartbeat.version().epoch()
                ? new TaskCounts(heartbeat, known.former, known.end)
                : new TaskCounts(heartbeat, active(known, append), append);
    }

    /** Returns the active subjects of a task by policy, at a time. */
    private Map<String, Integer> active(TaskCounts counts, long time) {
        Map<String, Integer> active = new HashMap<>(counts.heartbeat.active());
        counts.former.forEach((policy, count) -> {
            if (time < counts.end + settling(policy)) {
                active.merge(policy, count, Math::max);
            }
        });
        return active;
    }

    /** Returns how long a new epoch may take to see all active subjects of a policy, in milliseconds. */
    private long settling(String policy) {
        return Math.max(windows.getOrDefault(policy, 0L), GuardRebalancer.HEARING_MILLIS);
    }

    /**
     * Returns the counts at a time. Looks at those of all tasks: to be called about once a second for all tasks of a process.
     *
     * @param time broker time, epoch milliseconds
     */
    public Snapshot at(long time) {
        Map<String, List<Row>> rows = new HashMap<>();
        new TreeMap<>(tasks).forEach((task, counts) -> {
            Map<String, Integer> active = active(counts, time);
            Map<String, Integer> enforced = counts.heartbeat.enforced();
            Set<String> policies = new HashSet<>(active.keySet());
            policies.addAll(enforced.keySet());
            for (String policy : policies) {
                List<Row> before = rows.computeIfAbsent(policy, missing -> new ArrayList<>());
                Row last = before.isEmpty() ? Row.NONE : before.get(before.size() - 1);
                before.add(last.next(task, active.getOrDefault(policy, 0), enforced.getOrDefault(policy, 0)));
            }
        });
        return new Snapshot(rows);
    }

    /**
     * Counts of a policy up to a task.
     *
     * @param active subjects of all tasks up to this one, itself included
     * @param enforced locks of these tasks
     */
    private record Row(int task, long active, long enforced) {
        static final Row NONE = new Row(-1, 0, 0);

        Row next(int next, long moreActive, long moreEnforced) {
            return new Row(next, active + moreActive, enforced + moreEnforced);
        }
    }

    /**
     * What the other tasks have of a policy.
     *
     * @param active subjects of all of them
     * @param enforced locks of all of them
     * @param enforcedBefore locks of those with lower numbers
     */
    record Others(long active, long enforced, long enforcedBefore) {}

    /** The counts of all tasks at one time. Immutable. */
    public static final class Snapshot {
        static final Snapshot EMPTY = new Snapshot(Map.of());

        /** Those of each policy, in the order of the tasks. */
        private final Map<String, List<Row>> rows;

        private Snapshot(Map<String, List<Row>> rows) {
            this.rows = rows;
        }

        /** Returns what the tasks other than this one have of a policy. */
        Others others(String policy, int task) {
            List<Row> all = rows.getOrDefault(policy, List.of());
            if (all.isEmpty()) {
                return new Others(0, 0, 0);
            }
            Row sum = all.get(all.size() - 1);
            Row before = upTo(all, task - 1);
            Row own = upTo(all, task);
            return new Others(
                    sum.active - (own.active - before.active),
                    sum.enforced - (own.enforced - before.enforced),
                    before.enforced);
        }

        private static Row upTo(List<Row> rows, int task) {
            int from = 0;
            int to = rows.size();
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (rows.get(middle).task <= task) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from == 0 ? Row.NONE : rows.get(from - 1);
        }
    }
}
