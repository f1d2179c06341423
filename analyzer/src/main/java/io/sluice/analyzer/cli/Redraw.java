package io.sluice.analyzer.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;

/** Draws again and again: in place on a terminal, one below the other elsewhere. */
final class Redraw {
    private static final long PAUSE_MILLIS = 1_000;

    /** What there is to see now. */
    interface Picture {
        void draw(PrintWriter out) throws Exception;
    }

    private Redraw() {}

    /** Until interrupted, or {@code millis} have passed; at least once. */
    static void run(PrintWriter out, Terminal terminal, long millis, Picture picture) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            // drawn aside and shown at once: half a table flickers
            StringWriter drawn = new StringWriter();
            picture.draw(new PrintWriter(drawn));
            out.print((terminal.person() ? "\u001b[H\u001b[2J" : "") + drawn + (terminal.person() ? "" : "\n"));
            out.flush();
            if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS) >= end) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
