package io.sluice.analyzer.meter;

import com.dynatrace.hash4j.hashing.HashStream64;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.policy.Window;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The subjects that a meter saw within the window's length in progress: few by their hashes, many as a sketch, at most 4 KiB. Quiet subjects
 * do not travel, but the guard needs their number. Not thread-safe.
 */
final class ActiveSketch {
    private final long windowMillis;
    private final DistinctHash by;
    // used again for every subject
    private final HashStream64 hash;
    private DistinctValues subjects;
    private long period = Long.MIN_VALUE;
    private long newestTime;
    private boolean changed;
    /** The window's length before, as far as it has changed since the last drain. */
    private @Nullable Report ended;

    /**
     * The subjects of one window's length.
     *
     * @param newestTime of their events, epoch milliseconds
     */
    record Report(DistinctValues subjects, long newestTime) {}

    ActiveSketch(Window window, DistinctHash by) {
        windowMillis = window.millis();
        this.by = by;
        hash = by.stream();
        subjects = by.none();
    }

    /** Adds a subject. Enough once for each window's length. */
    void seen(String[] subject, long time) {
        long of = Math.floorDiv(time, windowMillis);
        if (of < period) {
            return;
        }
        if (of > period) {
            ended = changed ? new Report(subjects, newestTime) : ended;
            period = of;
            changed = false;
            subjects = by.none();
            newestTime = time;
        }
        newestTime = Math.max(newestTime, time);
        hash.reset();
        for (String value : subject) {
            // with its length: [ab, c] is not [a, bc]
            hash.putString(value);
        }
        changed |= subjects.addHash(hash.getAsLong());
    }

    /** Passes on what has changed since the last call: the window's length in progress, and before it the last one. */
    void drain(Consumer<Report> to) {
        Report before = ended;
        if (before != null) {
            ended = null;
            to.accept(before);
        }
        if (changed) {
            changed = false;
            to.accept(new Report(subjects, newestTime));
        }
    }
}
