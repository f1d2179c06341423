package io.sluice.demo.story;

import io.sluice.contract.lock.Evidence;
import java.util.Locale;

/** Numbers as people read them, the same whatever the machine's language is. */
public final class Words {
    private Words() {}

    /** With commas between the thousands. */
    public static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Seconds with one digit. */
    public static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }

    /** Milliseconds, with a digit where they are few. */
    public static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
    }

    /** What was seen and what is allowed. */
    public static String why(Evidence evidence) {
        String span = " in " + evidence.windowMillis() / 1000 + " s";
        return evidence.detector().equals("share")
                ? percent(evidence.observed()) + " of " + number(Math.round(evidence.load())) + " " + evidence.measure()
                        + span + ", allowed are " + percent(evidence.threshold())
                : number(Math.round(evidence.observed())) + " " + evidence.measure() + span + ", allowed are "
                        + number(Math.round(evidence.threshold()));
    }

    /** With a digit only where it is not 0: 40 %, but 40.4 %. */
    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100).replace(".0 ", " ");
    }
}
