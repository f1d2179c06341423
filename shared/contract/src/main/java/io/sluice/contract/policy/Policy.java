package io.sluice.contract.policy;

import io.sluice.contract.event.RequestAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to count, per which subject, in which window, when to lock and how; and/or a local limit.
 *
 * @param per the attributes that make the subject; empty: one subject
 * @param overrides first match wins; each holds the whole rules that apply then, already merged with the policy's own
 * @param revision name and 64 bits of SHA-256 over canonical match, per, measure, window and panes: {@code name@0123456789abcdef}
 */
public record Policy(
        String name,
        Match match,
        List<Attribute> per,
        Measure measure,
        Window window,
        @Nullable LockRule lock,
        @Nullable LimitRule limit,
        List<Override> overrides,
        String revision) {

    /**
     * Other rules for the requests that match.
     *
     * @param lock {@code null} when the override has no lock: the next override with one applies then
     * @param limit {@code null} when the override has no limit
     */
    @SuppressWarnings("JavaLangClash") // it is what policy files call it, and always written Policy.Override
    public record Override(
            Match match, @Nullable LockRule lock, @Nullable LimitRule limit) {}

    /** The lock rule for a subject: the first override with a lock that matches, else the policy's own, if any. */
    public @Nullable LockRule lockFor(List<String> subject) {
        for (int i = 0; i < overrides.size(); i++) {
            Override override = overrides.get(i);
            if (override.lock != null && override.match.matchesSubject(per, subject)) {
                return override.lock;
            }
        }
        return lock;
    }

    /** The limit for a request: the first override with a limit that matches, else the policy's own, if any. */
    public @Nullable LimitRule limitFor(RequestAttributes request) {
        for (int i = 0; i < overrides.size(); i++) {
            Override override = overrides.get(i);
            if (override.limit != null && override.match.matches(request)) {
                return override.limit;
            }
        }
        return limit;
    }

    /** Its limit and those of its overrides, in this order. */
    public List<LimitRule> limitRules() {
        List<LimitRule> rules = new ArrayList<>();
        if (limit != null) {
            rules.add(limit);
        }
        for (Override override : overrides) {
            if (override.limit != null) {
                rules.add(override.limit);
            }
        }
        return rules;
    }

    /** Returns those of its {@link #limitRules} that requests of a service can fall under. */
    public List<LimitRule> limitRulesOf(String service) {
        if (match.excludesService(service)) {
            return List.of();
        }
        List<LimitRule> rules = new ArrayList<>();
        if (limit != null) {
            rules.add(limit);
        }
        for (Override override : overrides) {
            if (override.limit != null && !override.match.excludesService(service)) {
                rules.add(override.limit);
            }
        }
        return rules;
    }

    /**
     * Returns which quota of a subject an override's limit is, the same in every process: empty where the subject alone decides whether the override
     * applies, since its requests then fall under one limit always; otherwise 64 bits of SHA-256 over the canonical match, 16 hexadecimal digits.
     */
    public String quotaSlot(Override override) {
        return override.match.decidedBy(per) ? "" : Revisions.of(override.match.document());
    }

    /** The attributes that make the subject, as they are spelt in records. */
    public List<String> perNames() {
        return per.stream().map(Attribute::toString).toList();
    }

    /** Its lock rule and those of its overrides, in this order. */
    public List<LockRule> lockRules() {
        List<LockRule> rules = new ArrayList<>();
        if (lock != null) {
            rules.add(lock);
        }
        for (Override override : overrides) {
            if (override.lock != null) {
                rules.add(override.lock);
            }
        }
        return rules;
    }

    /** Returns whether a condition asks how long the others' requests take, whatever the measure. */
    public boolean timed() {
        return lockRules().stream().flatMap(rule -> rule.when().stream()).anyMatch(Condition::timed);
    }

    /** Returns whether any of its subjects can be locked: only then it is metered. */
    public boolean locks() {
        return lock != null || overrides.stream().anyMatch(override -> override.lock != null);
    }

    /**
     * The smallest absolute number that can matter to a lock, overrides included, in the measure's unit: a threshold, a
     * share of the load it needs, a floor. Infinite without a lock.
     */
    public double smallestThreshold() {
        double least = lock == null ? Double.POSITIVE_INFINITY : lock.smallestThreshold();
        for (Override override : overrides) {
            least = override.lock == null ? least : Math.min(least, override.lock.smallestThreshold());
        }
        return least;
    }
}
