package io.sluice.analyzer.replay;

import java.io.PrintWriter;
import java.util.Locale;

/** Shows how far reading has come, twice a second, on one line of a terminal. */
public final class Progress {
    private static final long EVERY_NANOS = 500_000_000;
    // the clock is not asked for each line
    private static final int LINES_BETWEEN_LOOKS = 1024;

    private final PrintWriter out;
    private final boolean shown;
    private final long started = System.nanoTime();
    private String step = "";
    private long last = started;
    private long lines;
    private long bytes;
    private boolean dirty;

    /** @param shown whether {@code out} is a terminal */
    public Progress(PrintWriter out, boolean shown) {
        this.out = out;
        this.shown = shown;
    }

    void step(String name) {
        step = name;
    }

    void line(int length) {
        lines++;
        bytes += length + 1;
        if (shown && lines % LINES_BETWEEN_LOOKS == 0 && System.nanoTime() - last > EVERY_NANOS) {
            last = System.nanoTime();
            show();
        }
    }

    private void show() {
        double seconds = (last - started) / 1e9;
        out.printf(
                Locale.ROOT,
                "\r%s: %,d lines, %,d MB, %,.0f lines/s \u001b[K",
                step,
                lines,
                bytes >> 20,
                lines / seconds);
        out.flush();
        dirty = true;
    }

    /** Clears the line. */
    void done() {
        if (dirty) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }

    double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }
}
