package io.sluice.analyzer.load;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.analyzer.distinct.DistinctValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * About how many different subjects a policy saw within its window: a sketch (UltraLogLog; Ertl, PVLDB 17(7), 2024) for the
 * window's length in progress, and one for that before. 8 KiB whatever attackers invent, none without subjects; a handful is counted
 * exactly, millions within some percent (standard error 1.2 %).
 */
public final class ActiveSubjects {
    private static final int PRECISION = 12;

    private final long windowMillis;
    /** {@code null} while there is none. */
    private @Nullable UltraLogLog current;
    /** Of the window's length before {@link #current}; {@code null} while there is none. */
    private @Nullable UltraLogLog last;

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
        long of = Math.floorDiv(time, windowMillis);
        if (of == period) {
            subjects.addTo(current());
        } else if (of == period - 1) {
            // meters report in turn: one of them has begun the next length already
            UltraLogLog known = last == null ? UltraLogLog.create(PRECISION) : last;
            subjects.addTo(known);
            last = known;
            before = estimate(known);
        }
    }

    /** The greater of the last whole window's count and that of the one in progress. */
    public long count(long time) {
        moveTo(time);
        return Math.max(before, estimate(current));
    }

    private void moveTo(long time) {
        long reached = Math.floorDiv(time, windowMillis);
        if (reached <= period) {
            return;
        }
        last = reached == period + 1 ? current : null;
        before = estimate(last);
        current = null;
        period = reached;
    }

    private static long estimate(@Nullable UltraLogLog sketch) {
        return sketch == null ? 0 : Math.round(sketch.getDistinctCountEstimate());
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
