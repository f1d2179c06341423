package io.sluice.analyzer.run;

import io.sluice.contract.key.Partitions;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which callers had to be locked by when: those that pass the limit in (t − W + pane, t] with what the broker has at that
 * moment, as soon as the meters have read that far, if the caller's decide task is at work then and the event is not too old
 * to open anything.
 */
final class DueLocks {
    /** How long a lock may take from when its last event has arrived on the usage topic. */
    private static final long REACTION_MILLIS = 2_000;

    private static final int HEAD_MILLIS = 5_000;

    private final Policy policy;
    private final long limit;
    private final long backlogMillis;
    private final int partitions;

    /** @param at time of the event at which the caller was over */
    record Due(String caller, long at, long arrived) {}

    DueLocks(Policy policy, long limit, long backlogMillis, int partitions) {
        this.policy = policy;
        this.limit = limit;
        this.backlogMillis = backlogMillis;
        this.partitions = partitions;
    }

    List<Due> of(LoggedRequests requests, SentUsage usage, LockHistory locks) {
        List<Due> due = new ArrayList<>();
        Map<String, TreeMap<Long, Integer>> counted = new HashMap<>();
        long covered = policy.window().millis() - policy.window().paneMillis();
        for (LoggedRequests.Logged logged : requests.inOrderOfArrival()) {
            String caller = logged.event().caller();
            long time = logged.event().time();
            TreeMap<Long, Integer> its = counted.computeIfAbsent(caller, any -> new TreeMap<>());
            its.merge(time, 1, Integer::sum);
            its.headMap(logged.append() - covered - HEAD_MILLIS).clear();
            long sum = its.subMap(time - covered, false, time, true).values().stream()
                    .mapToLong(Integer::longValue)
                    .sum();
            if (sum > limit) {
                int partition =
                        Partitions.of(new UsageKey(policy.revision(), List.of(caller)).partitionKey(), partitions);
                long arrived = usage.arrival(partition, logged.append());
                if (arrived - time < backlogMillis / 2 && locks.able(partition, arrived, arrived + REACTION_MILLIS)) {
                    due.add(new Due(caller, logged.append(), arrived));
                }
            }
        }
        return due;
    }

    static boolean kept(Due due, LockHistory locks) {
        return locks.closed(due.caller, due.at, due.arrived + REACTION_MILLIS);
    }
}
