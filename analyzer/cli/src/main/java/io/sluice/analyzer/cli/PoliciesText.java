package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.analyzer.api.KillSwitchJson;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.analyzer.meter.QuietMark;
import io.sluice.analyzer.output.Table;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The policies in force, with what they did to requests: as a table for people, as JSON for programs. */
final class PoliciesText {
    private static final String NOTHING = "";
    private static final String UNKNOWN = "-";

    private PoliciesText() {}

    static void table(PolicySet set, Agents agents, List<KillSwitches.Off> offs, long now, PrintWriter out) {
        offs.forEach(off -> out.println("! " + EnforcementText.line(off, now)));
        boolean off = offs.stream().anyMatch(each -> each.agent() == null);
        boolean known = agents.alive() > 0;
        Table table =
                new Table(List.of("POLICY", "PER", "LOCK", "WHEN", "LIMIT", "REJECTS", "REJECTED", "WOULD REJECT"));
        Map<String, Long> rejected = agents.rejected();
        Map<String, Long> wouldReject = agents.wouldReject();
        for (Policy policy : set.policies()) {
            LockRule lock = policy.lock();
            LimitRule limit = policy.limit();
            table.row(List.of(
                    policy.name(),
                    policy.per().toString(),
                    lock == null ? NOTHING : lock(lock),
                    lock == null ? NOTHING : ConditionText.of(policy, lock.when()),
                    limit == null ? NOTHING : limit(limit),
                    !rejects(set, policy) ? "no, only reports" : off ? "no, switched off" : "yes",
                    known ? Spans.grouped(rejected.getOrDefault(policy.name(), 0L)) : UNKNOWN,
                    known ? Spans.grouped(wouldReject.getOrDefault(policy.name(), 0L)) : UNKNOWN));
        }
        table.print(out);
        out.println("rejections " + heard(agents, now));
        out.println(
                "revision " + set.revision() + (set.enforce() ? "" : ", enforce: false — every policy only reports"));
    }

    private static String heard(Agents agents, long now) {
        int alive = agents.alive();
        if (alive == 0) {
            return "are unknown: no agent sent a heartbeat";
        }
        long age = now - agents.newest();
        return "since their start, reported by " + (alive == 1 ? "the one agent" : alive + " agents") + " alive"
                + (age > Agents.ALIVE_MILLIS ? " " + Spans.text(age) + " ago; no heartbeat since" : "");
    }

    /** Prints which callers meters hold back, a line for each policy that locks. */
    static void heldBack(PolicySet set, PrintWriter out) {
        Table table = new Table(List.of("POLICY", "HELD BACK IN THE METERS"));
        set.policies().stream()
                .filter(Policy::locks)
                .forEach(policy -> table.row(List.of(policy.name(), heldBack(policy))));
        if (set.policies().stream().anyMatch(Policy::locks)) {
            table.print(out);
        }
    }

    /** Returns which subjects of a policy meters hold back, such as {@code below 50 requests in 10s, divided by …}, or why none. */
    static String heldBack(Policy policy) {
        if (!QuietMark.allowed(policy)) {
            return "nothing: a baseline, a debt or service times need every request";
        }
        String unit = policy.measure().name();
        String overrides =
                policy.overrides().stream().anyMatch(it -> it.lock() != null) ? "; overrides by their own" : "";
        return "below " + Spans.grouped(QuietMark.of(policy, 1)) + " " + unit + " in "
                + Spans.text(policy.window().millis()) + ", divided by the partitions that can hold a subject"
                + overrides;
    }

    /** Returns whether any of its rules, overrides included, can turn a request away. */
    private static boolean rejects(PolicySet set, Policy policy) {
        Stream<LockRule> locks = Stream.concat(
                Stream.ofNullable(policy.lock()), overrides(policy).flatMap(it -> Stream.ofNullable(it.lock())));
        Stream<LimitRule> limits = Stream.concat(
                Stream.ofNullable(policy.limit()), overrides(policy).flatMap(it -> Stream.ofNullable(it.limit())));
        return set.enforce()
                && (locks.anyMatch(lock -> !lock.shadow() && lock.mode() != Mode.SHADOW)
                        || limits.anyMatch(limit -> !limit.shadow()));
    }

    private static Stream<Policy.Override> overrides(Policy policy) {
        return policy.overrides().stream();
    }

    private static String lock(LockRule lock) {
        return lock.mode().spelling()
                + (lock.shadow() ? " (shadow)" : "")
                + (lock.debt() ? " until the debt is paid" : " for " + Spans.text(lock.forMillis()));
    }

    private static String limit(LimitRule limit) {
        String rate = Spans.number(limit.permits()) + "/" + Spans.text(limit.perMillis());
        return switch (limit.algorithm()) {
                    case TOKEN_BUCKET -> rate + ", burst " + limit.burst();
                    case CONCURRENCY -> concurrency(limit);
                    default ->
                        rate + ", "
                                + limit.algorithm()
                                        .name()
                                        .toLowerCase(Locale.ROOT)
                                        .replace('_', '-');
                }
                + (limit.warmUpMillis() > 0 ? ", warms up in " + Spans.text(limit.warmUpMillis()) : "")
                + (limit.scope() == LimitRule.Scope.FLEET ? ", over the fleet" : "")
                + (limit.strategy() == null ? "" : " by " + limit.strategy())
                + (limit.under() == null ? "" : ", under " + limit.under())
                + (limit.shadow() ? " (shadow)" : "");
    }

    private static String concurrency(LimitRule limit) {
        LimitRule.Adaptive adaptive = limit.adaptive();
        return (adaptive == null ? limit.max() : adaptive.min() + " to " + adaptive.max()) + " at once";
    }

    /** The set as it stands on the topic, with a further field for what its policies did. */
    static String json(PolicySet set, Agents agents, List<KillSwitches.Off> offs) {
        return JsonLine.of(json -> {
            try (JsonParser read = new JsonFactory().createParser(PolicySetJson.writeActive(set))) {
                read.nextToken();
                while (read.nextToken() == JsonToken.FIELD_NAME) {
                    json.copyCurrentStructure(read);
                }
            }
            json.writeObjectFieldStart("fleet");
            json.writeNumberField("agents", agents.alive());
            JsonLine.numbers("rejectedByPolicy", agents.rejected(), json);
            JsonLine.numbers("wouldRejectByPolicy", agents.wouldReject(), json);
            BoundedJson.texts(
                    "onlyReport",
                    set.policies().stream()
                            .filter(policy -> !rejects(set, policy))
                            .map(Policy::name)
                            .toList(),
                    json);
            KillSwitchJson.write(offs, json);
            json.writeEndObject();
        });
    }
}
