package io.sluice.analyzer.replay;

import io.sluice.analyzer.DurationText;
import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.Plural;
import io.sluice.contract.json.PrintableText;
import java.io.PrintWriter;
import java.util.Locale;

/** The result for people. */
public final class ReportText {
    private static final int TOP = 10;
    private static final String COLUMNS = "%12s %9s %9s %9s %9s  %s";

    private final ReplayResult result;
    private final PrintWriter out;

    public ReportText(ReplayResult result, PrintWriter out) {
        this.result = result;
        this.out = out;
    }

    public void print() {
        for (ReplayResult.ReadLog log : result.logs()) {
            line(
                    "%s: %s, %s%s",
                    log.name(),
                    Plural.of(log.survey().lines(), "line"),
                    log.format(),
                    log.guessed() ? " (detected)" : "");
        }
        events();
        unreadable();
        if (result.events() > 0) {
            topCallers();
            Tried tried = result.tried();
            if (tried != null) {
                new LocksText(out, result.to()).print(tried);
                if (result.comparison() != null) {
                    new ChangesText(result.comparison(), tried.exact()).print(out);
                }
            }
            suggestion();
        }
        for (String note : result.notes()) {
            line("Note: %s", note);
        }
        double seconds = Math.max(result.seconds(), 0.001);
        line(
                "%s in %.2f s, %,.0f lines/s",
                Plural.of(result.lines(), "line"), result.seconds(), result.lines() / seconds);
        out.flush();
    }

    private void events() {
        if (result.events() == 0) {
            line("No events");
            return;
        }
        line(
                "%s of %s, %s to %s",
                Plural.of(result.events(), "event"),
                Plural.of(result.callers().count(), "caller"),
                Shown.time(result.from()),
                Shown.time(result.to()));
        if (result.outOfOrder() > 0) {
            line(
                    "%s out of order, by up to %s: put in order",
                    Plural.of(result.outOfOrder(), "line"), DurationText.compact(disorder()));
        }
    }

    private long disorder() {
        return result.logs().stream()
                .mapToLong(log -> log.survey().disorder())
                .max()
                .orElse(0);
    }

    private void unreadable() {
        DeadLetters letters = result.deadLetters();
        line("%s could not be read", Plural.of(letters.count(), "line"));
        for (DeadLetters.Reason reason : letters.reasons()) {
            line("  %,10d  %s (%s)", reason.count(), PrintableText.of(reason.reason()), examples(reason));
        }
    }

    private String examples(DeadLetters.Reason reason) {
        String places = String.join(", ", reason.examples());
        return result.logs().size() > 1
                ? places
                : "line " + places.replace(result.logs().get(0).name() + ":", "");
    }

    private void topCallers() {
        line("");
        line(COLUMNS, "requests", "share", "p50/min", "p99/min", "max/min", "top callers");
        for (Callers.Caller caller : result.callers().top(TOP)) {
            line(
                    COLUMNS,
                    NumberText.of(caller.count()),
                    NumberText.percent(caller.share()),
                    NumberText.of(caller.p50()),
                    NumberText.of(caller.p99()),
                    NumberText.of(caller.max()),
                    Shown.name(caller.caller()));
        }
        line("");
    }

    private void suggestion() {
        Suggestion suggestion = result.suggestion();
        if (suggestion == null) {
            return;
        }
        line(
                "Suggested limits, twice what callers reach without the busiest 1 %%:"
                        + " %,d of %s %s over %s in a minute",
                suggestion.over().size(),
                Plural.of(result.callers().count(), "caller"),
                suggestion.over().size() == 1 ? "was" : "were",
                Plural.of(suggestion.perMinute(), "request"));
        for (Callers.Caller caller :
                suggestion.over().subList(0, Math.min(TOP, suggestion.over().size()))) {
            line("  up to %,6d  %s", caller.max(), Shown.name(caller.caller()));
        }
        line("");
        out.print(suggestion.policies());
        line("");
    }

    private void line(String format, Object... values) {
        out.printf(Locale.ROOT, format, values);
        out.println();
    }
}
