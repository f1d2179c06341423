package io.sluice.benchmarks.measure;

import java.util.Locale;

/** Figures as people read them: three digits that count, and no more. */
public final class Numbers {

    private Numbers() {}

    public static String text(double value) {
        double size = Math.abs(value);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "–";
        }
        if (size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= 10) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        return String.format(Locale.ROOT, size >= 0.1 || size == 0 ? "%.2f" : "%.4f", value);
    }
}
