package io.sluice.analyzer.cli;

import io.sluice.analyzer.meter.CountedEvent;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.meter.QuietMark;
import io.sluice.analyzer.output.DisplayWidth;
import io.sluice.analyzer.output.RecordJson;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.SourceSettings;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Meaning of a line.
 *
 * @param counted the time it counts at if it is appended now, or {@link EventTimes#LATE}
 */
record ExplainedLine(SourceSettings source, RequestEvent event, long counted, PolicySet policies) {

    void print(PrintWriter out, long now) {
        out.println("read as " + source.format() + ", as the source " + source.topic());
        fields().forEach((name, value) -> out.println("  " + PrintableText.of(pad(name) + value)));
        out.println("  " + pad("counts") + when(now));
        boolean allowed = policies.allows(event, asked().time());
        if (allowed) {
            out.println(
                    "allowed: it is on the allow-list, so it is never locked or limited; it is still part of the load");
        }
        out.println("policies of revision " + policies.revision()
                + (policies.enforce() ? "" : ", which only report (enforce: false)"));
        for (Policy policy : policies.policies()) {
            CountedEvent account = CountedEvent.of(policy, asked());
            out.println("  " + PrintableText.of(pad(policy.name()) + text(policy, account, allowed)));
        }
    }

    private static String pad(String name) {
        return DisplayWidth.pad(name + " ", 20);
    }

    /** As if it came now; a late one as if it had come in time, to show what it would have meant. */
    private RequestEvent asked() {
        return counted == EventTimes.LATE ? event : event.at(counted);
    }

    private String when(long now) {
        if (counted == EventTimes.LATE) {
            return "not at all if it comes now: " + Spans.text(now - event.time())
                    + " old is late; below: had it come in time";
        }
        return counted == event.time()
                ? "at its own time"
                : "at the time it comes, for its own lies " + Spans.text(event.time() - now) + " in the future";
    }

    private String text(Policy policy, CountedEvent account, boolean allowed) {
        if (!account.counts()) {
            return "no: " + account.why();
        }
        LockRule rule = policy.lockFor(account.subject());
        return "counts " + amount(policy, account) + (event.rejected() ? " as rejected" : "")
                + (account.subject().isEmpty() ? "" : " for " + String.join(" ", account.subject()))
                + ", pane from " + Spans.time(account.from())
                + (allowed
                        ? "; locks no caller, because 'allow' matches"
                        : rule == null
                                ? "; nothing locks it"
                                : "; locked (" + rule.mode().spelling() + ") when "
                                        + ConditionText.of(policy, rule.when())
                                        + "; meters hold back "
                                        + PoliciesText.heldBack(policy))
                + limited(policy);
    }

    private String limited(Policy policy) {
        LimitRule limit = policy.limitFor(event);
        return limit == null || limit.strategy() == null ? "" : "; limited, " + StrategiesText.of(limit);
    }

    private String amount(Policy policy, CountedEvent account) {
        Measure measure = policy.measure();
        if (measure instanceof Measure.Distinct distinct) {
            return "the " + distinct.attribute() + " " + distinct.attribute().countedValueOf(event);
        }
        return Spans.grouped(account.amount() / (double) measure.scale()) + " "
                + (measure instanceof Measure.Requests && account.amount() == 1 ? "request" : measure.name());
    }

    private Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("time", Spans.time(event.time()));
        put(fields, "caller", event.caller());
        fields.put("identity", event.identity().name().toLowerCase(Locale.ROOT));
        put(fields, "service", event.service());
        put(fields, "route", event.route());
        put(fields, "method", event.method());
        put(fields, "ip", event.ip());
        put(fields, "status", event.status() == 0 ? null : Integer.toString(event.status()));
        fields.put("outcome", event.outcome().name().toLowerCase(Locale.ROOT));
        put(fields, "bytes", event.bytes() == 0 ? null : Spans.grouped(event.bytes()));
        put(fields, "millis", event.micros() == 0 ? null : Spans.number(event.micros() / 1000.0));
        put(fields, "cost", event.cost() == 0 ? null : Spans.grouped(event.cost()));
        put(fields, "count", event.count() == 1 ? null : Long.toString(event.count()));
        put(fields, "agent", event.agent());
        new TreeMap<>(event.labels()).forEach((name, value) -> fields.put("labels." + name, value));
        return fields;
    }

    private static void put(Map<String, String> fields, String name, @Nullable String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    String json() {
        return RecordJson.line(new Json(
                source.topic(),
                source.format(),
                fields(),
                counted == EventTimes.LATE,
                policies.allows(event, asked().time()),
                policies.revision(),
                policies.policies().stream()
                        .map(policy -> Counted.of(policy, CountedEvent.of(policy, asked())))
                        .toList()));
    }

    private record Json(
            String source,
            String format,
            Map<String, String> event,
            boolean late,
            boolean allowed,
            String revision,
            List<Counted> policies) {}

    private record Counted(
            String policy,
            boolean counts,
            @Nullable List<String> subject,
            @Nullable String measure,
            @Nullable Double amount,
            @Nullable Long paneFrom,
            @Nullable Long paneMillis,
            @Nullable String lockedWhen,
            @Nullable Double heldBackBelow,
            @Nullable String why) {
        static Counted of(Policy policy, CountedEvent account) {
            if (!account.counts()) {
                return new Counted(policy.name(), false, null, null, null, null, null, null, null, account.why());
            }
            LockRule rule = policy.lockFor(account.subject());
            return new Counted(
                    policy.name(),
                    true,
                    account.subject(),
                    policy.measure().name(),
                    account.amount() / (double) policy.measure().scale(),
                    account.from(),
                    policy.window().paneMillis(),
                    rule == null ? null : ConditionText.of(policy, rule.when()),
                    rule != null && QuietMark.allowed(policy) ? QuietMark.of(policy, 1) : null,
                    null);
        }
    }
}
