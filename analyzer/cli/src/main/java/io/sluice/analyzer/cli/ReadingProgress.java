package io.sluice.analyzer.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Shows on one line of a terminal how far a long read has come, twice a second. */
final class ReadingProgress {
    private static final long EVERY_NANOS = 500_000_000;
    // the clock is not asked for each record
    private static final int RECORDS_BETWEEN_LOOKS = 1024;

    private final PrintWriter out;
    private final boolean shown;
    private final LongSupplier nanos;
    private long last;
    private long total;
    private long read;
    private boolean dirty;

    /** @param shown whether {@code out} is a terminal */
    ReadingProgress(PrintWriter out, boolean shown, LongSupplier nanos) {
        this.out = out;
        this.shown = shown;
        this.nanos = nanos;
        last = nanos.getAsLong();
    }

    /** At most so many records are to be read. */
    void toRead(long records) {
        total = records;
    }

    void read() {
        read++;
        if (shown && read % RECORDS_BETWEEN_LOOKS == 0 && nanos.getAsLong() - last >= EVERY_NANOS) {
            last = nanos.getAsLong();
            out.printf(Locale.ROOT, "\rreading the request log: %,d of at most %,d records\u001b[K", read, total);
            out.flush();
            dirty = true;
        }
    }

    /** Clears the line. */
    void done() {
        if (dirty) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }
}
