package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;

/** Draws again and again, each second, until interrupted, the output cannot be written or a time has passed; at least once. */
final class Redraw {
    private static final long PAUSE_MILLIS = 1_000;
    private static final String CLEARED = "\u001b[H\u001b[2J";

    /** The present screen. */
    interface Picture {
        void draw(PrintWriter out) throws Exception;
    }

    /** The time that passes between screens. */
    interface Clock {
        long nanoTime();

        void sleep(long millis) throws InterruptedException;
    }

    private static final class SystemClock implements Clock {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long millis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
        }
    }

    private final Clock clock;

    Redraw() {
        this(new SystemClock());
    }

    Redraw(Clock clock) {
        this.clock = clock;
    }

    /** The whole of it each time: in place on a terminal, one below the other elsewhere. */
    void whole(PrintWriter out, Terminal terminal, long millis, Picture picture) throws Exception {
        run(out, millis, terminal.person() ? CLEARED : "", picture, terminal.person() ? "" : "\n");
    }

    /** What is new each time, below what was drawn before. */
    void news(PrintWriter out, long millis, Picture picture) throws Exception {
        run(out, millis, "", picture, "");
    }

    private void run(PrintWriter out, long millis, String before, Picture picture, String behind) throws Exception {
        long began = clock.nanoTime();
        while (true) {
            // drawn aside and shown at once: half a table flickers
            StringWriter drawn = new StringWriter();
            picture.draw(new PrintWriter(drawn));
            out.print(before + drawn + behind);
            // the end of a pipe was closed, or the disk is full: the launcher finds out which, as after every command;
            // picocli's writer hides the errors of System.out
            if (out.checkError() || System.out.checkError()) {
                return;
            }
            long elapsed = clock.nanoTime() - began;
            if (elapsed + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS) >= TimeUnit.MILLISECONDS.toNanos(millis)) {
                return;
            }
            clock.sleep(PAUSE_MILLIS);
        }
    }
}
