package io.sluice.analyzer.replay;

import io.sluice.analyzer.output.ProgressLine;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows the step, lines, bytes and speed of a reading on one line of a terminal. */
public final class Progress {
    private final ProgressLine line;
    private final long started = System.nanoTime();
    private String step = "";
    private long lines;
    private long bytes;

    /** @param shown whether {@code out} is a terminal */
    public Progress(PrintWriter out, boolean shown) {
        line = new ProgressLine(out, shown, System::nanoTime);
    }

    void step(String name) {
        step = name;
    }

    void line(int length) {
        lines++;
        bytes += length + 1;
        if (line.isDue()) {
            line.show(String.format(
                    Locale.ROOT, "%s: %,d lines, %,d MB, %,.0f lines/s ", step, lines, bytes >> 20, lines / seconds()));
        }
    }

    /** Clears the line. */
    void done() {
        line.clear();
    }

    double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }
}
