package io.sluice.analyzer.meter;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.load.Group;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Match;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Policies that count the same events by the same subjects, whatever they add up of them: an event and its subject are looked at once. A set of
 * policies is a mask of bits, in the order of {@link #policies}. Those of which quiet subjects may be held back are in groups of their own. Not
 * thread-safe.
 */
final class MeteredGroup {
    /** The most policies of a group: masks share a {@code long} with the times of a cell. */
    static final int MOST_POLICIES = PaneCells.POLICY_BITS;

    /**
     * The parts of a policy that its group has in common.
     *
     * @param distinct the attribute whose distinct values are counted, if they are
     * @param timed whether service times are kept beside the amounts
     * @param withheld whether quiet subjects are held back
     * @param part 0, unless there are more than {@value #MOST_POLICIES} such policies
     */
    record Key(
            Match match,
            List<Attribute> per,
            @Nullable Attribute distinct,
            Window window,
            boolean timed,
            boolean withheld,
            int part) {
        static Key of(Policy policy, boolean withheld, int part) {
            return new Key(
                    policy.match(),
                    policy.per(),
                    policy.measure() instanceof Measure.Distinct measure ? measure.attribute() : null,
                    policy.window(),
                    policy.timed(),
                    withheld,
                    part);
        }
    }

    final Key key;
    /** Differs between any two groups of policies and loads that are in use at the same time. */
    final int number;

    final MeteredPolicy[] policies;
    /** For each policy, the index of its amount among {@link #amounts}. */
    final int[] amountOf;

    final MeteredLoad[] loads;
    final Marks marks;
    /** Of the subjects, those that are held back; {@code null} when none are. */
    final @Nullable Withheld withheld;

    final DistinctHash hash;
    private final Attribute[] per;
    private final String[] subject;
    private final CountedAmount[] each;
    private final long[] amounts;
    private final long[] heavy;
    private final long paneMillis;
    private final boolean accusesByName;

    /**
     * @param number the first of {@link #numbers} in a row
     * @param policies at most {@value #MOST_POLICIES}
     */
    MeteredGroup(Key key, int number, List<MeteredPolicy> policies, @Nullable Withheld withheld, DistinctHash hash) {
        this.key = key;
        this.number = number;
        this.hash = hash;
        this.withheld = withheld;
        this.policies = policies.toArray(MeteredPolicy[]::new);
        List<CountedAmount> counted = counted(policies);
        each = counted.toArray(CountedAmount[]::new);
        amountOf = policies.stream()
                .mapToInt(policy -> counted.indexOf(policy.counted))
                .toArray();
        amounts = new long[each.length];
        heavy = new long[each.length];
        Arrays.fill(heavy, Long.MAX_VALUE);
        for (int i = 0; i < amountOf.length; i++) {
            heavy[amountOf[i]] = Math.min(heavy[amountOf[i]], this.policies[i].heavy);
        }
        loads = loads(number + 1, policies);
        marks = new Marks(this.policies, amountOf, each.length);
        per = key.per().toArray(Attribute[]::new);
        subject = new String[per.length];
        paneMillis = key.window().paneMillis();
        accusesByName = named(key.per()) || named(key.match().attributes());
    }

    /** Returns what policies add up, each once. */
    static List<CountedAmount> counted(List<MeteredPolicy> policies) {
        return policies.stream()
                .map(policy -> policy.counted)
                .distinct()
                .sorted()
                .toList();
    }

    private static MeteredLoad[] loads(int number, List<MeteredPolicy> policies) {
        List<MeteredLoad> loads = new ArrayList<>();
        for (int policy = 0; policy < policies.size(); policy++) {
            for (Group group : policies.get(policy).groups) {
                loads.add(new MeteredLoad(number + loads.size(), policy, group, group.places()));
            }
        }
        return loads.toArray(MeteredLoad[]::new);
    }

    /** How many numbers the group and its loads take. */
    int numbers() {
        return 1 + loads.length;
    }

    private static boolean named(Iterable<Attribute> attributes) {
        for (Attribute attribute : attributes) {
            if (attribute.kind() == Attribute.Kind.CALLER || attribute.kind() == Attribute.Kind.LABEL) {
                return true;
            }
        }
        return false;
    }

    /** Returns the set of all policies. */
    long all() {
        return marks.all();
    }

    /** Returns whether the event counts at all: it matches, and it has the attribute whose values are counted. */
    boolean matches(RequestEvent event) {
        Attribute distinct = key.distinct();
        return key.match().matches(event) && (distinct == null || distinct.countedValueOf(event) != null);
    }

    /** Sets {@link #subject} to that of an event; returns false when the event lacks one of its values. */
    boolean setSubject(RequestEvent event) {
        for (int i = 0; i < per.length; i++) {
            String value = per[i].valueOf(event);
            if (value == null) {
                return false;
            }
            subject[i] = value;
        }
        return true;
    }

    /** The subject that {@link #setSubject} has set, a value for each attribute; overwritten by its next call. */
    String[] subject() {
        return subject;
    }

    /** Returns whether the event may count against a subject: a claimed identity never does. */
    boolean believes(RequestEvent event) {
        return !accusesByName || event.identity() != Identity.CLAIMED;
    }

    long pane(RequestEvent event) {
        return Math.floorDiv(event.time(), paneMillis);
    }

    /** Returns what the event adds to each sum; for distinct values, the hash of its value. Overwritten by the next call. */
    long[] amounts(RequestEvent event) {
        for (int i = 0; i < each.length; i++) {
            amounts[i] = each[i].of(event);
        }
        Attribute distinct = key.distinct();
        String value = distinct == null ? null : distinct.countedValueOf(event);
        if (value != null) {
            amounts[0] = hash.of(value);
        }
        return amounts;
    }

    /** Returns whether one of these sums is a good part of a threshold. */
    boolean heavy(long[] sums) {
        for (int i = 0; i < sums.length; i++) {
            if (sums[i] > heavy[i]) {
                return true;
            }
        }
        return false;
    }

    /** Returns the policy of a revision as a set, which is 0 when it is not among them. */
    long policy(String revision) {
        for (int i = 0; i < policies.length; i++) {
            if (policies[i].revision.equals(revision)) {
                return 1L << i;
            }
        }
        return 0;
    }

    /** How many sums there are. */
    int amountsSize() {
        return each.length;
    }

    int subjectSize() {
        return per.length;
    }
}
