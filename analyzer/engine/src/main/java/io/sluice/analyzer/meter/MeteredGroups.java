package io.sluice.analyzer.meter;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts the policies of a set that count the same subjects into groups. What is held back for policies that stay as they are is kept. One thread. */
final class MeteredGroups {
    private final int requestPartitions;
    private final long slackMillis;
    private final Rooms rooms;
    private final DistinctHash hash;
    /** Numbers that groups have had, also former ones, whose sums may still have to leave. */
    private int numbered;

    /**
     * The heap of a meter's groups.
     *
     * @param quiet for the subjects that are held back
     * @param watches for those that are watched
     */
    record Rooms(QuietTables.Room quiet, QuietTables.Room watches) {}

    /**
     * @param slackMillis how much later than its pane a value may come
     * @param hash of different values and active subjects
     */
    MeteredGroups(int requestPartitions, long slackMillis, Rooms rooms, DistinctHash hash) {
        this.requestPartitions = requestPartitions;
        this.slackMillis = slackMillis;
        this.rooms = rooms;
        this.hash = hash;
    }

    /**
     * Returns the groups of a set.
     *
     * @param callerSpread the most meters that can count requests of one caller
     * @param former the groups that these replace; what they hold back of policies that have changed is discarded
     */
    MeteredGroup[] of(PolicySet set, int callerSpread, MeteredGroup[] former) {
        Map<MeteredGroup.Key, List<MeteredPolicy>> alike = new LinkedHashMap<>();
        for (Policy policy : set.policies()) {
            if (policy.locks()) {
                MeteredPolicy metered = new MeteredPolicy(policy, requestPartitions, callerSpread);
                alike(policy, metered, alike).add(metered);
            }
        }
        Map<MeteredGroup.Key, Withheld> kept = new HashMap<>();
        for (MeteredGroup group : former) {
            if (group.withheld != null) {
                kept.put(group.key, group.withheld);
            }
        }
        List<MeteredGroup> groups = new ArrayList<>();
        alike.forEach((key, policies) -> {
            Withheld held = key.withheld() ? withheld(key, policies, kept) : null;
            MeteredGroup group = new MeteredGroup(key, numbered, policies, held, hash);
            numbered += group.numbers();
            groups.add(group);
        });
        kept.values().forEach(held -> {
            held.quiet().discard();
            held.quiet().watches().discard();
        });
        return groups.toArray(MeteredGroup[]::new);
    }

    private static List<MeteredPolicy> alike(
            Policy policy, MeteredPolicy metered, Map<MeteredGroup.Key, List<MeteredPolicy>> alike) {
        List<MeteredPolicy> group;
        int part = 0;
        do {
            MeteredGroup.Key key = MeteredGroup.Key.of(policy, metered.withheld(), part++);
            group = alike.computeIfAbsent(key, missing -> new ArrayList<>());
        } while (group.size() == MeteredGroup.MOST_POLICIES);
        return group;
    }

    private Withheld withheld(
            MeteredGroup.Key key, List<MeteredPolicy> policies, Map<MeteredGroup.Key, Withheld> kept) {
        Withheld known = kept.get(key);
        if (known != null && known.follow(policies)) {
            kept.remove(key);
            return known;
        }
        Withheld created = new Withheld(key, policies, slackMillis, rooms, hash);
        if (known != null) {
            created.takeWatches(known);
        }
        return created;
    }
}
