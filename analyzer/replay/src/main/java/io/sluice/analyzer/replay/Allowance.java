package io.sluice.analyzer.replay;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * What is left of the {@link ReplayBounds} while a replay runs. Each method throws {@link BeyondBounds} where its bound is exceeded. Confined
 * to one thread.
 */
final class Allowance {
    // the clock is not asked for each event
    private static final int BETWEEN_LOOKS = 256;

    private final ReplayBounds bounds;
    private final LongSupplier nanos;
    private final long started;
    private long bytes;
    private long looks;

    Allowance(ReplayBounds bounds, LongSupplier nanos) {
        this.bounds = bounds;
        this.nanos = nanos;
        started = nanos.getAsLong();
    }

    /** Returns the allowance of a process that does nothing else. */
    static Allowance ofHeap() {
        return new Allowance(ReplayBounds.ofHeap(Runtime.getRuntime().maxMemory()), System::nanoTime);
    }

    ReplayBounds bounds() {
        return bounds;
    }

    /** Takes the bytes of a line. */
    void line(int length) {
        bytes += length + 1L;
        if (bytes > bounds.bytes()) {
            throw new BeyondBounds(String.format(
                    Locale.ROOT,
                    "the log is longer than %,d bytes uncompressed; shorten it, or use './sluice replay'",
                    bounds.bytes()));
        }
        time();
    }

    /** Checks the time, at some of the calls. */
    void time() {
        if (looks++ % BETWEEN_LOOKS == 0
                && nanos.getAsLong() - started > bounds.time().toNanos()) {
            throw new BeyondBounds("the replay took longer than "
                    + bounds.time().toSeconds() + " s; shorten the log, or use './sluice replay'");
        }
    }

    /** Checks the number of locks that one policy set has made. */
    void locks(int count) {
        if (count > bounds.locks()) {
            throw new BeyondBounds(String.format(
                    Locale.ROOT, "the policies make more than %,d locks; raise their thresholds", bounds.locks()));
        }
    }

    /** Checks the heap that the windows of one policy set take. */
    void heap(long used) {
        if (used > bounds.heap()) {
            throw new BeyondBounds(String.format(
                    Locale.ROOT,
                    "the windows of the subjects take more than %,d bytes of heap; shorten the log, or use './sluice replay'",
                    bounds.heap()));
        }
    }
}
