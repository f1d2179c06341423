package io.sluice.analyzer.detect;

import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Match;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Until when requests of subjects may have been left out of what is usual. A policy that loses its {@code spike}, and gets it back, is the same revision,
 * so it finds the baselines of its subjects again, to which nothing was added meanwhile; so does a subject that was allowed, or had other rules. The
 * first policies of a life are those of the last one, as a rule. One thread.
 */
final class UncountedTimes {
    /** Subjects that were quiet for two days have no baseline any more. */
    private static final long REMEMBERED_MILLIS = TimeUnit.DAYS.toMillis(2);

    private static final int MOST_ALLOWED = 1_000;
    private static final int NONE = -1;

    /** By the policy's revision. */
    private final Map<String, Return> rulesReturned = new HashMap<>();
    /** Of entries of {@code allow} that are gone, the newest last. */
    private final List<Return> allowedReturned = new ArrayList<>();

    private Map<String, List<Object>> counted = Map.of();
    private @Nullable PolicySet set;
    /** Entries of {@code allow} that end by themselves, in the order of their ends. */
    private List<PolicySet.Allow> timed = List.of();

    /** Subjects that are counted again since a change of the policies. It reached each meter when its first partial came. */
    private static final class Return {
        /** Meters that have counted nothing for so long after the first one had nothing to count. */
        private static final long ARRIVING_MILLIS = TimeUnit.HOURS.toMillis(1);

        private final Match match;
        private final long latest;
        private final BitSet meters = new BitSet();
        private long begun = Long.MIN_VALUE;
        private long until = Long.MIN_VALUE;

        /**
         * @param match of the requests that were not counted
         * @param latest when they were counted again at the latest
         */
        Return(Match match, long latest) {
            this.match = match;
            this.latest = latest;
        }

        void counted(int meter, long time, long now) {
            if (!meters.get(meter)) {
                meters.set(meter);
                begun = begun == Long.MIN_VALUE ? now : begun;
                until = now - begun <= ARRIVING_MILLIS ? Math.max(until, Math.min(time, latest)) : until;
            }
        }

        boolean forgotten(long time) {
            return until != Long.MIN_VALUE && until < time - REMEMBERED_MILLIS;
        }
    }

    void policies(PolicySet next) {
        Map<String, List<Object>> now = new HashMap<>();
        next.policies().forEach(policy -> now.put(policy.revision(), rules(policy)));
        // the others keep no baselines
        now.values()
                .removeIf(rules -> rules.stream().noneMatch(rule -> rule instanceof Set<?> some && !some.isEmpty()));
        PolicySet former = set;
        if (former != null) {
            now.forEach((revision, rules) -> {
                if (!rules.equals(counted.get(revision))) {
                    rulesReturned.put(revision, new Return(Match.ANY, Long.MAX_VALUE));
                }
            });
            former.allow().stream()
                    .filter(allow -> next.allow().stream().noneMatch(other -> goesOn(allow, other)))
                    .forEach(this::gone);
        }
        rulesReturned.keySet().retainAll(now.keySet());
        if (now.isEmpty()) {
            allowedReturned.clear();
        }
        counted = now;
        set = next;
        timed = next.allow().stream()
                .filter(allow -> allow.until() > 0)
                .sorted(Comparator.comparingLong(PolicySet.Allow::until))
                .toList();
    }

    private void gone(PolicySet.Allow allow) {
        allowedReturned.removeIf(each -> each.match.equals(allow.match()));
        if (allowedReturned.size() == MOST_ALLOWED) {
            allowedReturned.remove(0);
        }
        allowedReturned.add(new Return(allow.match(), allow.until() > 0 ? allow.until() : Long.MAX_VALUE));
    }

    private static boolean goesOn(PolicySet.Allow allow, PolicySet.Allow other) {
        boolean asLong = other.until() == 0 || (allow.until() != 0 && other.until() >= allow.until());
        return asLong && other.match().equals(allow.match());
    }

    /**
     * Returns the time until which requests of a subject may be missing, {@link Long#MIN_VALUE} for none.
     *
     * @param meter whose partial has come
     * @param time of the partial
     * @param now broker time, or {@link BrokerClock#UNKNOWN}
     */
    long until(UsageKey key, Policy policy, int meter, long time, long now) {
        long present = now == BrokerClock.UNKNOWN ? time : now;
        long until = Long.MIN_VALUE;
        Return rules = rulesReturned.isEmpty() ? null : rulesReturned.get(key.policyRevision());
        if (rules != null) {
            rules.counted(meter, time, present);
            until = rules.until;
        }
        for (int i = allowedReturned.size() - 1; i >= 0; i--) {
            Return each = allowedReturned.get(i);
            each.counted(meter, time, present);
            if (each.forgotten(time)) {
                allowedReturned.remove(i);
            } else if (each.until > until && each.match.mayMatchSubject(policy.per(), key.subject())) {
                until = each.until;
            }
        }
        for (int i = lastEnded(time);
                i > NONE && timed.get(i).until() > Math.max(until, time - REMEMBERED_MILLIS);
                i--) {
            if (timed.get(i).match().mayMatchSubject(policy.per(), key.subject())) {
                until = timed.get(i).until();
            }
        }
        return until;
    }

    /** Returns the place of the last entry of {@code allow} that has ended by then. */
    private int lastEnded(long time) {
        int low = 0;
        int high = timed.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (timed.get(middle).until() <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** Returns what decides for which subjects a policy keeps which baselines. */
    private static List<Object> rules(Policy policy) {
        List<Object> rules = new ArrayList<>();
        rules.add(baselines(policy.lock()));
        for (Policy.Override override : policy.overrides()) {
            if (override.lock() != null) {
                rules.add(override.match());
                rules.add(baselines(override.lock()));
            }
        }
        return rules;
    }

    private static Set<Long> baselines(@Nullable LockRule rule) {
        Set<Long> baselines = new HashSet<>();
        Stream.ofNullable(rule)
                .flatMap(it -> it.when().stream())
                .flatMap(UncountedTimes::spikes)
                .map(Condition.Spike::baselineMillis)
                .forEach(baselines::add);
        return baselines;
    }

    private static Stream<Condition.Spike> spikes(Condition condition) {
        if (condition instanceof Condition.All all) {
            return all.conditions().stream().flatMap(UncountedTimes::spikes);
        }
        return condition instanceof Condition.Spike spike ? Stream.of(spike) : Stream.of();
    }
}
