package io.sluice.agent.internal.gate;

import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Match;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.OnDegraded;
import io.sluice.contract.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A compiled policy with its gates and counts. Thread-safe. */
final class GatePolicy {
    private static final long DEGRADED_RETRY_MILLIS = 5000;
    private static final int MOST_KINDS = 1000;

    private final Policy policy;
    private final List<String> perNames;
    private final GateTable table;
    private final Counts counts;
    private final @Nullable Limit limit;
    private final Match[] overridden;
    private final Limit[] overrides;
    private final LimiterSlots slots;
    private final boolean limits;
    private final boolean degrades;
    private final LockRejections locking;
    private final LockRejections shedding;
    private final Verdict.Rejected deniedByLock;
    private final Verdict.Rejected deniedByLimit;
    private final Map<LockKind.LockAttributes, LockKind> kinds = new HashMap<>();

    /** A policy's counts since it was first seen; kept when the policy changes. */
    static final class Counts {
        final LongAdder locked = new LongAdder();
        final LongAdder limited = new LongAdder();
        final LongAdder wouldReject = new LongAdder();
    }

    /** Returns whether none of its locks can close a request of this service. */
    boolean excludesService(String service) {
        List<LockRule> rules = policy.lockRules();
        return rules.isEmpty()
                ? policy.match().excludesService(service)
                : rules.stream().allMatch(rule -> rule.closes().excludesService(service));
    }

    /** @param before the version that it replaces, if any */
    GatePolicy(Policy policy, GateTable table, Counts counts, @Nullable GatePolicy before) {
        this.policy = policy;
        this.perNames = policy.perNames();
        this.table = table;
        this.counts = counts;
        this.slots = (before == null || before.table != table ? LimiterSlots.NONE : before.slots).next(policy);
        this.limit = policy.limit() == null ? null : compiled(policy.limit(), LimiterSlots.SUBJECT, "");
        List<Match> matches = new ArrayList<>();
        List<Limit> others = new ArrayList<>();
        for (Policy.Override override : policy.overrides()) {
            if (override.limit() != null) {
                matches.add(override.match());
                others.add(compiled(override.limit(), slots.of(override), policy.quotaSlot(override)));
            }
        }
        this.overridden = matches.toArray(Match[]::new);
        this.overrides = others.toArray(new Limit[0]);
        this.limits = limit != null || !others.isEmpty();
        this.degrades = policy.lockRules().stream().anyMatch(rule -> rule.onDegraded() != OnDegraded.LOCAL);
        this.locking = new LockRejections(policy.name(), Verdict.Reason.LOCKED);
        this.shedding = new LockRejections(policy.name(), Verdict.Reason.SHED);
        this.deniedByLock = denied(Verdict.Reason.LOCKED);
        this.deniedByLimit = denied(Verdict.Reason.LIMITED);
    }

    private Limit compiled(LimitRule rule, int slot, String quotaSlot) {
        boolean ofCost = policy.measure() == Measure.COST;
        return rule.strategy() == null
                ? Limit.of(policy.name(), rule, slot, ofCost)
                : Limit.central(policy.name(), rule, slot, ofCost, quotaSlot);
    }

    private Verdict.Rejected denied(Verdict.Reason reason) {
        return new Verdict.Rejected(reason, policy.name(), DEGRADED_RETRY_MILLIS, null);
    }

    Policy policy() {
        return policy;
    }

    /** Returns whether a decision applies to a subject of the policy as it counts now. */
    boolean fits(LockDecision standing) {
        return LockValidity.fits(standing.per(), perNames);
    }

    GateTable table() {
        return table;
    }

    /** Forgets idle gates and drops the limiters of removed overrides; see {@link GateTable#sweep}. */
    void sweep(long now, Object monitor) {
        table.sweep(now, slots.inUse(), monitor);
    }

    Counts counts() {
        return counts;
    }

    boolean hasLimit() {
        return limits;
    }

    /** Returns whether any of its limits is counted by a central store. */
    boolean central() {
        return policy.limitRules().stream().anyMatch(rule -> rule.strategy() != null);
    }

    /** Returns whether it limits the cost of requests, not their number. */
    boolean limitsCost() {
        return limits && policy.measure() == Measure.COST;
    }

    /** Returns whether it has a limiter to charge: a limit or a throttling lock. */
    boolean mayCharge() {
        return limits || table.locks().any();
    }

    /**
     * Returns the limit that the request falls under, if any.
     *
     * @param agents the live agents of the service, which share a limit of the fleet; at least 1
     */
    @Nullable
    Limit limitFor(RequestAttributes request, int agents) {
        Limit whole = limitFor(request);
        return whole == null ? null : whole.at(agents);
    }

    /** Returns the limit that the request falls under, of one agent or of a central store. */
    @Nullable
    Limit limitFor(RequestAttributes request) {
        if (!limits || !policy.match().matches(request)) {
            return null;
        }
        for (int i = 0; i < overridden.length; i++) {
            if (overridden[i].matches(request)) {
                return overrides[i];
            }
        }
        return limit;
    }

    /** Returns the lock rule of a degraded agent for the request's subject, if it differs from that of a fresh one. Allocates. */
    private @Nullable LockRule degradedRule(RequestAttributes request) {
        List<String> subject = degrades ? table.subject(request) : null;
        LockRule rule = subject == null ? null : policy.lockFor(subject);
        return rule == null || rule.onDegraded() == OnDegraded.LOCAL ? null : rule;
    }

    /** Returns the lock rule by which the policy rejects the request because the agent is degraded, or {@code null}. */
    @Nullable
    LockRule denyingRule(RequestAttributes request) {
        LockRule rule = degradedRule(request);
        boolean denies = rule != null
                && rule.onDegraded() == OnDegraded.DENY
                && rule.closes().matches(request);
        return denies ? rule : null;
    }

    /** Returns the lock or release of the request's entry, as far as it can be trusted. */
    @Nullable
    LockEntry lockOn(@Nullable SubjectEntry entry, Freshness freshness, RequestAttributes request, long now) {
        if (entry == null) {
            return null;
        }
        return entry.lock(now, freshness == Freshness.STALE && degradedRule(request) != null);
    }

    /** Counts a rejection and returns it. */
    Verdict.Rejected countRejected(Verdict.Rejected verdict) {
        (verdict.reason().byLimit() ? counts.limited : counts.locked).increment();
        return verdict;
    }

    static boolean onlyReports(@Nullable LockRule rule) {
        return rule != null && (rule.shadow() || rule.mode() == Mode.SHADOW);
    }

    Verdict.Rejected deniedByLock() {
        return deniedByLock;
    }

    Verdict.Rejected deniedByLimit() {
        return deniedByLimit;
    }

    /** Returns a decision in the form that checks read. Under the lock registry's monitor. */
    LockEntry held(SubjectKey key, LockDecision standing, List<String> subject, boolean byAnalyzer) {
        LockRule rule = policy.lockFor(subject);
        Match closes = rule == null ? policy.match().requestOnly() : rule.closes();
        boolean shadow = standing.shadow() || (byAnalyzer && onlyReports(rule));
        Version version = standing.version();
        LockKind.LockAttributes said = new LockKind.LockAttributes(
                policy.name(),
                standing.mode(),
                standing.rate(),
                standing.per(),
                standing.shadow(),
                shadow,
                closes,
                standing.lease().clock(),
                version == null ? "" : version.task(),
                version == null ? 0 : version.epoch());
        if (kinds.size() >= MOST_KINDS) {
            // existing locks keep their kinds
            kinds.clear();
        }
        return new LockEntry(
                key,
                kinds.computeIfAbsent(said, it -> new LockKind(it, it.mode() == Mode.SHED ? shedding : locking)),
                standing);
    }
}
