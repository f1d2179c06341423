package io.sluice.analyzer.cli;

import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.recount.Verdict;
import io.sluice.contract.lock.Evidence;

/** A lock's evidence in words, and what the exact method makes of it. */
final class EvidenceText {
    private static final String DISTINCT = "distinct ";

    private EvidenceText() {}

    /** Observed and allowed values: {@code 12,345 requests in 1m, allowed 12,000}. */
    static String seen(Evidence evidence) {
        String in = " in " + Spans.text(evidence.windowMillis());
        return switch (evidence.detector()) {
            case "share" ->
                NumberText.shortPercent(evidence.observed()) + " of " + amount(evidence.load(), evidence) + in
                        + ", allowed " + NumberText.shortPercent(evidence.threshold());
            case "spike" ->
                amount(evidence.sum(), evidence) + in + ", " + times(evidence.observed()) + " its baseline, allowed "
                        + times(evidence.threshold());
            case "debt" ->
                "a debt of " + amount(evidence.observed(), evidence) + ", allowed "
                        + Spans.grouped(evidence.threshold());
            default -> amount(evidence.sum(), evidence) + in + ", allowed " + Spans.grouped(evidence.threshold());
        };
    }

    /** Whether the evidence holds: {@code holds: exactly 12,391 requests in the minute before, counted 12,345, allowed 12,000}. */
    static String of(Verdict verdict, Evidence evidence) {
        return (verdict.holds() ? "holds: " : "does not hold: ")
                + recounted(verdict, evidence)
                + (verdict.excess() > 0
                        ? "; " + Spans.grouped(verdict.excess())
                                + " more were counted than there are, as may happen once after an unclean end"
                        : "")
                + (verdict.complete() ? "" : "; some of the request log is gone");
    }

    private static String recounted(Verdict verdict, Evidence evidence) {
        String exactly = verdict.complete() ? "exactly " : "at least ";
        String before = " in the " + span(evidence.windowMillis()) + " before";
        return switch (evidence.detector()) {
            case "share" ->
                exactly + NumberText.shortPercent(verdict.observed()) + " of " + amount(verdict.load(), evidence)
                        + before
                        + ", counted " + NumberText.shortPercent(evidence.observed()) + " of "
                        + Spans.grouped(evidence.load())
                        + ", allowed " + NumberText.shortPercent(evidence.threshold())
                        + (verdict.believed() == Verdict.Believed.SLOWNESS
                                ? "; that the others were slower than usual is taken from the evidence"
                                : "");
            case "spike" ->
                exactly + amount(verdict.sum(), evidence) + before + ", " + times(verdict.observed())
                        + " the baseline, counted " + Spans.grouped(evidence.sum()) + ", allowed "
                        + times(evidence.threshold()) + "; the baseline is taken from the evidence";
            case "debt" ->
                "a debt of " + exactly + amount(verdict.observed(), evidence) + ", counted "
                        + Spans.grouped(evidence.observed()) + ", allowed " + Spans.grouped(evidence.threshold())
                        + "; recounted from " + Spans.time(verdict.from()) + " on, as if there had been none then";
            default ->
                exactly + amount(verdict.sum(), evidence) + before + ", counted " + Spans.grouped(evidence.sum())
                        + ", allowed " + Spans.grouped(evidence.threshold());
        };
    }

    private static String amount(double number, Evidence evidence) {
        String measure = evidence.measure();
        if (measure.startsWith(DISTINCT)) {
            return Spans.grouped(number) + " different values of " + measure.substring(DISTINCT.length());
        }
        return Spans.grouped(number) + " " + (measure.equals("millis") ? "ms of service time" : measure);
    }

    private static String times(double factor) {
        return Spans.grouped(factor) + " times";
    }

    private static String span(long millis) {
        if (millis == 1_000) {
            return "second";
        }
        if (millis == 60_000) {
            return "minute";
        }
        return millis == 3_600_000 ? "hour" : Spans.text(millis);
    }
}
