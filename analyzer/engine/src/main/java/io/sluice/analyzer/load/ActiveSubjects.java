package io.sluice.analyzer.load;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.analyzer.distinct.DistinctValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * About how many different subjects a policy saw within its window: a sketch (UltraLogLog; Ertl, PVLDB 17(7), 2024) for the
 * window's length in progress, and the count of the one before. 4 KiB whatever attackers invent, none without subjects; a handful is counted
 * exactly, millions within some percent (standard error 1.2 %).
 */
public final class ActiveSubjects {
    private static final int PRECISION = 12;

    private final long windowMillis;
    /** {@code null} while there is none. */
    private @Nullable UltraLogLog current;

    // used again for every subject; without a key, so that a replay has one result: meters' sketches, which have one,
    // count as well
    private final HashStream64 hash = Hashing.komihash5_0().hashStream();
    private long period = Long.MIN_VALUE;
    private long before;

    public ActiveSubjects(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** @param time event time of the newest event of the subject's that was counted, epoch milliseconds */
    public void seen(List<String> subject, long time) {
        moveTo(time);
        current().add(hash(subject));
    }

    /**
     * Adds what a meter saw within the window's length that {@code time} is in.
     *
     * @param subjects hashed alike by all meters
     */
    void seen(DistinctValues subjects, long time) {
        moveTo(time);
        if (Math.floorDiv(time, windowMillis) == period) {
            subjects.addTo(current());
        }
    }

    /** The greater of the last whole window's count and that of the one in progress. */
    public long count(long time) {
        moveTo(time);
        return Math.max(before, estimate());
    }

    private void moveTo(long time) {
        long reached = Math.floorDiv(time, windowMillis);
        if (reached <= period) {
            return;
        }
        before = reached == period + 1 ? estimate() : 0;
        current = null;
        period = reached;
    }

    private long estimate() {
        return current == null ? 0 : Math.round(current.getDistinctCountEstimate());
    }

    private UltraLogLog current() {
        UltraLogLog known = current;
        if (known == null) {
            known = UltraLogLog.create(PRECISION);
            current = known;
        }
        return known;
    }

    private long hash(List<String> subject) {
        hash.reset();
        for (String value : subject) {
            // with its length: [ab, c] is not [a, bc]
            hash.putString(value);
        }
        return hash.getAsLong();
    }
}
