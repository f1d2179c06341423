package io.sluice.demo.story;

import io.sluice.analyzer.NumberText;
import io.sluice.contract.lock.Evidence;
import java.util.Locale;

/** Numbers as people read them, the same whatever the machine's language is. */
public final class Words {
    private Words() {}

    /** Seconds with one digit. */
    public static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }

    /** Milliseconds, with a digit where they are few. */
    public static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
    }

    /** Observed and allowed values. */
    public static String why(Evidence evidence) {
        String span = " in " + evidence.windowMillis() / 1000 + " s";
        return evidence.detector().equals("share")
                ? NumberText.shortPercent(evidence.observed()) + " of " + NumberText.of(Math.round(evidence.load()))
                        + " " + evidence.measure() + span + ", allowed are "
                        + NumberText.shortPercent(evidence.threshold())
                : NumberText.of(Math.round(evidence.observed())) + " " + evidence.measure() + span + ", allowed are "
                        + NumberText.of(Math.round(evidence.threshold()));
    }
}
