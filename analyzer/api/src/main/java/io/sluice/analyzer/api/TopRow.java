package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.top.TopSubject;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A subject with what the policies know that count it: each counts what it matches, so the most requests are nearest to all of them. */
final class TopRow {
    private static final Comparator<TopRow> BUSIEST =
            Comparator.<TopRow>comparingDouble(row -> row.most().requests()).reversed();

    private final List<String> per;
    private final List<String> subject;
    private final List<Counted> counted = new ArrayList<>();

    /** Figures of one policy. */
    private record Counted(Policy policy, TopSubject use, double share) {}

    private TopRow(List<String> per, List<String> subject) {
        this.per = per;
        this.subject = subject;
    }

    /** A row for each subject, the busiest first. */
    static List<TopRow> of(Top top, List<Policy> policies) {
        Map<List<List<String>>, TopRow> rows = new LinkedHashMap<>();
        for (TopSubject use : top.subjects()) {
            for (Policy policy : policies) {
                if (policy.revision().equals(use.revision())) {
                    List<String> per =
                            policy.per().stream().map(Attribute::toString).toList();
                    double total = top.totals().getOrDefault(use.revision(), 0.0);
                    rows.computeIfAbsent(List.of(per, use.subject()), any -> new TopRow(per, use.subject()))
                            .add(new Counted(policy, use, total > 0 ? Math.min(1, use.offered() / total) : 0));
                }
            }
        }
        return rows.values().stream().sorted(BUSIEST).toList();
    }

    /** Removes duplicates: a task that moved between two answers is in both. */
    private void add(Counted more) {
        if (counted.stream().noneMatch(it -> it.policy.name().equals(more.policy.name()))) {
            counted.add(more);
        }
    }

    List<String> subject() {
        return subject;
    }

    /** The names of the policies that count it. */
    List<String> policies() {
        return counted.stream().map(it -> it.policy.name()).toList();
    }

    private TopSubject most() {
        return counted.stream()
                .map(Counted::use)
                .max(Comparator.comparingDouble(TopSubject::requests))
                .orElseThrow();
    }

    void write(JsonGenerator to) throws IOException {
        TopSubject most = most();
        Answer.texts("per", per, to);
        Answer.texts("subject", subject, to);
        number("requests", most.requests(), to);
        number("admitted", most.admitted(), to);
        number("rejected", most.rejected(), to);
        double bytes = 0;
        double micros = 0;
        double cost = 0;
        double share = 0;
        for (Counted it : counted) {
            bytes = Math.max(bytes, it.policy.measure() instanceof Measure.Bytes ? it.use.amount() : 0);
            micros =
                    Math.max(micros, it.policy.measure() instanceof Measure.Millis ? it.use.amount() : it.use.micros());
            cost = Math.max(cost, it.policy.measure() instanceof Measure.Cost ? it.use.amount() : 0);
            share = Math.max(share, it.share);
        }
        if (bytes > 0) {
            number("bytes", bytes, to);
        }
        if (cost > 0) {
            number("cost", cost, to);
        }
        if (micros > 0) {
            number("millis", micros / 1_000, to);
        }
        to.writeNumberField("share", Math.round(share * 1_000) / 1_000.0);
        to.writeArrayFieldStart("policies");
        for (Counted it : counted) {
            to.writeStartObject();
            to.writeStringField("policy", it.policy.name());
            to.writeStringField("measure", it.policy.measure().name());
            double scale = it.policy.measure().scale();
            number("offered", it.use.offered() / scale, to);
            number("error", it.use.error() / scale, to);
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    private static void number(String field, double value, JsonGenerator to) throws IOException {
        to.writeNumberField(field, Math.round(value * 10) / 10.0);
    }
}
