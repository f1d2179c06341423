package io.sluice.contract.policy;

import static io.sluice.contract.policy.Document.entry;
import static io.sluice.contract.policy.Document.list;
import static io.sluice.contract.policy.Document.mapping;
import static io.sluice.contract.policy.Document.number;
import static io.sluice.contract.policy.Document.text;
import static io.sluice.contract.policy.Document.truth;

import io.sluice.contract.json.Node;
import io.sluice.contract.lock.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Policies as documents in their canonical form: every default written out, everything in a fixed order, so that two sets
 * that mean the same are the same bytes. Reading the document gives the policies again.
 */
final class PolicyDocument {
    private PolicyDocument() {}

    static Node.Mapping of(PolicySet set) {
        List<Node.Entry> entries = new ArrayList<>();
        entries.add(entry("version", number(1)));
        entries.add(entry("enforce", truth(set.enforce())));
        entries.add(entry(
                "allow", list(set.allow().stream().map(PolicyDocument::allow).toList())));
        if (!set.guard().equals(PolicySet.Guard.DEFAULT)) {
            entries.add(entry("guard", guard(set.guard())));
        }
        entries.add(entry(
                "policies", list(set.policies().stream().map(PolicyDocument::of).toList())));
        return mapping(entries);
    }

    private static Node allow(PolicySet.Allow allow) {
        List<Node.Entry> entries = new ArrayList<>(allow.match().document().entries());
        if (allow.until() != 0) {
            entries.add(entry("until", Instant.ofEpochMilli(allow.until()).toString()));
        }
        String reason = allow.reason();
        if (reason != null) {
            entries.add(entry("reason", reason));
        }
        return mapping(entries);
    }

    private static Node guard(PolicySet.Guard guard) {
        return mapping(List.of(
                entry("subjects", Quantities.partText(guard.subjects())),
                entry("atLeast", number(guard.atLeast())),
                entry("atMost", number(guard.atMost()))));
    }

    private static Node.Mapping of(Policy policy) {
        List<Node.Entry> entries = new ArrayList<>();
        entries.add(entry("name", policy.name()));
        entries.addAll(counted(policy.match(), policy.per(), policy.measure(), policy.window()));
        rules(policy.lock(), policy.limit(), entries);
        if (!policy.overrides().isEmpty()) {
            entries.add(entry(
                    "overrides",
                    list(policy.overrides().stream().map(PolicyDocument::of).toList())));
        }
        return mapping(entries);
    }

    /** The counting part of a policy: the part that its revision stands for. */
    static List<Node.Entry> counted(Match match, List<Attribute> per, Measure measure, Window window) {
        return List.of(
                entry("match", match.document()),
                entry("per", attributes(per)),
                entry("measure", measure(measure)),
                entry("window", Quantities.durationText(window.millis())),
                entry("panes", number(window.panes())));
    }

    private static Node attributes(List<Attribute> attributes) {
        return list(attributes.stream().map(it -> text(it.toString())).toList());
    }

    private static Node measure(Measure measure) {
        return measure instanceof Measure.Distinct distinct
                ? mapping(List.of(entry("distinct", distinct.attribute().toString())))
                : text(measure.name());
    }

    private static Node of(Policy.Override override) {
        List<Node.Entry> entries = new ArrayList<>();
        entries.add(entry("match", override.match().document()));
        rules(override.lock(), override.limit(), entries);
        return mapping(entries);
    }

    private static void rules(@Nullable LockRule lock, @Nullable LimitRule limit, List<Node.Entry> entries) {
        if (lock != null) {
            entries.add(entry("lock", of(lock)));
        }
        if (limit != null) {
            entries.add(entry("limit", of(limit)));
        }
    }

    private static Node of(LockRule lock) {
        List<Node.Entry> entries = new ArrayList<>();
        entries.add(
                entry("when", list(lock.when().stream().map(PolicyDocument::of).toList())));
        entries.add(entry("mode", Fields.spelling(lock.mode())));
        if (lock.mode() == Mode.THROTTLE) {
            entries.add(entry("rate", new Quantities.Rate(lock.rate(), 1000).toString()));
        }
        entries.add(entry("shadow", truth(lock.shadow())));
        entries.add(entry("for", lock.debt() ? "debt" : Quantities.durationText(lock.forMillis())));
        if (lock.debt()) {
            entries.add(entry("upTo", Quantities.durationText(lock.debtUpToMillis())));
        }
        entries.add(entry("release", Quantities.partText(lock.release())));
        LockRule.Escalate escalate = lock.escalate();
        if (escalate != null) {
            entries.add(entry("escalate", of(escalate)));
        }
        entries.add(entry("closes", lock.closes().document()));
        entries.add(entry("onDegraded", Fields.spelling(lock.onDegraded())));
        return mapping(entries);
    }

    private static Node of(LockRule.Escalate escalate) {
        return mapping(List.of(
                entry("factor", number(escalate.factor())),
                entry("upTo", Quantities.durationText(escalate.upToMillis())),
                entry("forget", Quantities.durationText(escalate.forgetMillis()))));
    }

    private static Node of(Condition condition) {
        if (condition instanceof Condition.Above above) {
            return mapping(List.of(entry("above", number(above.threshold()))));
        }
        if (condition instanceof Condition.Share share) {
            List<Node.Entry> entries = new ArrayList<>();
            entries.add(entry("share", Quantities.partText(share.share())));
            entries.add(entry("of", attributes(share.of())));
            entries.add(entry("beyond", number(share.beyond())));
            entries.add(entry("others", number(share.others())));
            if (share.whenOthersSlow() != 0) {
                entries.add(entry("whenOthersSlow", number(share.whenOthersSlow())));
            }
            return mapping(entries);
        }
        if (condition instanceof Condition.Spike spike) {
            return mapping(List.of(
                    entry("spike", number(spike.factor())),
                    entry("baseline", Quantities.durationText(spike.baselineMillis())),
                    entry("floor", number(spike.floor()))));
        }
        Condition.All all = (Condition.All) condition;
        return mapping(List.of(entry(
                "all", list(all.conditions().stream().map(PolicyDocument::of).toList()))));
    }

    private static Node of(LimitRule limit) {
        List<Node.Entry> entries = new ArrayList<>();
        entries.add(entry("algorithm", Fields.spelling(limit.algorithm())));
        List<String> keys = LimitRuleReader.keysOf(limit.algorithm());
        if (keys.contains("rate")) {
            entries.add(entry("rate", new Quantities.Rate(limit.permits(), limit.perMillis()).toString()));
        }
        if (keys.contains("burst")) {
            entries.add(entry("burst", number(limit.burst())));
        }
        if (limit.warmUpMillis() != 0) {
            entries.add(entry("warmUp", Quantities.durationText(limit.warmUpMillis())));
        }
        if (keys.contains("maxWait")) {
            entries.add(entry("maxWait", Quantities.durationText(limit.maxWaitMillis())));
        }
        LimitRule.Adaptive adaptive = limit.adaptive();
        if (adaptive != null) {
            entries.add(entry(
                    "adaptive",
                    mapping(List.of(entry("min", number(adaptive.min())), entry("max", number(adaptive.max()))))));
        } else if (keys.contains("max")) {
            entries.add(entry("max", number(limit.max())));
        }
        entries.add(entry("scope", Fields.spelling(limit.scope())));
        String strategy = limit.strategy();
        if (strategy != null) {
            entries.add(entry("strategy", strategy));
        }
        String under = limit.under();
        if (under != null) {
            entries.add(entry("under", under));
        }
        entries.add(entry("shadow", truth(limit.shadow())));
        entries.add(entry("onDegraded", Fields.spelling(limit.onDegraded())));
        return mapping(entries);
    }
}
