package io.sluice.analyzer.output;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** One line of a terminal that shows how far a long reading has come, rewritten twice a second. Confined to one thread. */
public final class ProgressLine {
    private static final long EVERY_NANOS = 500_000_000;
    // the clock is not asked for each item
    private static final int ITEMS_BETWEEN_LOOKS = 1024;

    private final PrintWriter out;
    private final boolean shown;
    private final LongSupplier nanos;
    private long last;
    private long items;
    private boolean dirty;

    /**
     * @param shown whether {@code out} is a terminal; otherwise nothing is printed
     * @param nanos the clock
     */
    public ProgressLine(PrintWriter out, boolean shown, LongSupplier nanos) {
        this.out = out;
        this.shown = shown;
        this.nanos = nanos;
        last = nanos.getAsLong();
    }

    /** Counts an item that was read; true when it is time to {@link #show} the progress. */
    public boolean isDue() {
        if (!shown || ++items % ITEMS_BETWEEN_LOOKS != 0 || nanos.getAsLong() - last < EVERY_NANOS) {
            return false;
        }
        last = nanos.getAsLong();
        return true;
    }

    /** Replaces the line. */
    public void show(String text) {
        out.print("\r" + text + "\u001b[K");
        out.flush();
        dirty = true;
    }

    /** Clears the line. */
    public void clear() {
        if (dirty) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }
}
