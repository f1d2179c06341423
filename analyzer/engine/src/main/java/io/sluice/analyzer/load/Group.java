package io.sluice.analyzer.load;

import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How the subjects of a policy fall into groups for one {@code share … of}. Attributes that the policy's match holds fixed
 * are left out: they have one value only and part nothing.
 */
public final class Group {
    private final String revision;
    private final List<String> names;
    private final int[] places;

    private Group(Policy policy, List<Attribute> of) {
        revision = policy.revision();
        List<Attribute> kept = kept(policy, of);
        names = kept.stream().map(Attribute::toString).toList();
        places = kept.stream().mapToInt(policy.per()::indexOf).toArray();
    }

    /** The grouping of a policy's subjects by these attributes. */
    public static Group of(Policy policy, List<Attribute> of) {
        return new Group(policy, of);
    }

    /** Every different grouping that the policy's rules ask for, overrides included; empty without a share. */
    public static List<Group> all(Policy policy) {
        Set<List<Attribute>> different = new LinkedHashSet<>();
        for (LockRule rule : policy.lockRules()) {
            rule.when().forEach(condition -> collect(policy, condition, different));
        }
        return different.stream().map(of -> new Group(policy, of)).toList();
    }

    private static void collect(Policy policy, Condition condition, Set<List<Attribute>> different) {
        if (condition instanceof Condition.Share share) {
            different.add(kept(policy, share.of()));
        } else if (condition instanceof Condition.All all) {
            all.conditions().forEach(part -> collect(policy, part, different));
        }
    }

    private static List<Attribute> kept(Policy policy, List<Attribute> of) {
        return of.stream().filter(policy.per()::contains).distinct().toList();
    }

    /** The key of the group that a subject belongs to. */
    public UsageKey of(List<String> subject) {
        List<String> values = new ArrayList<>(places.length);
        for (int place : places) {
            values.add(subject.get(place));
        }
        return key(values);
    }

    /** The key of the group with these values: the attributes' names, then the values. */
    public UsageKey key(List<String> values) {
        List<String> key = new ArrayList<>(names.size() + values.size());
        key.addAll(names);
        key.addAll(values);
        return new UsageKey(revision, key);
    }

    /** The values of a subject that identify its group. */
    public int[] places() {
        return places.clone();
    }
}
