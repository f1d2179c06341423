package io.sluice.analyzer.load;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import java.time.Duration;

/**
 * The bounds of the times and meters that records of other tasks can contain. A record of a future time would be the newest for ever, and
 * windows that end just after the epoch would begin before it. Immutable and thread-safe.
 */
public final class LoadBounds {
    /** Two days after the epoch, in epoch milliseconds: the longest window that ends later does not begin before it. */
    public static final long EARLIEST = Duration.ofDays(2).toMillis();

    /** The clocks of two brokers may differ by so much: one dates the request, the other its usage. */
    private static final long BROKERS_MILLIS = 60_000;

    /** The longest window, and as long are the sources' spreads distrusted. */
    private static final long LONGEST_WATCH_MILLIS = Duration.ofDays(1).toMillis();

    /** Epochs are of the clocks of hosts, which nothing else depends on. */
    private static final long EPOCH_AHEAD_MILLIS = Duration.ofDays(366).toMillis();

    private final int meters;
    private final long aheadMillis;

    /**
     * @param meters how many meters there are
     * @param skewMillis how far an event may be ahead of the broker's clock
     */
    public LoadBounds(int meters, long skewMillis) {
        this.meters = meters;
        aheadMillis = skewMillis + BROKERS_MILLIS;
    }

    /**
     * Checks a load, a watch or a number of active subjects.
     *
     * @param appended when the broker appended the record, epoch milliseconds
     * @throws MalformedRecord when no task can have written it
     */
    public void check(UsageKey key, Load load, long appended) throws MalformedRecord {
        time("load.asOf", load.asOf(), appended, WatchKeys.is(key) ? LONGEST_WATCH_MILLIS : 0);
        if (ActiveTotals.is(key)) {
            // that of a group has no bound: none of its events may be known any more
            time("load.since", load.since(), appended, 0);
        }
    }

    /**
     * Checks how far a meter has read.
     *
     * @param record name of the record, for messages
     * @param appended when the broker appended the record, epoch milliseconds
     * @throws MalformedRecord when no meter can have written it
     */
    public void check(String record, MeterPosition position, long appended) throws MalformedRecord {
        origin(record, position.origin(), appended);
        time(record + ".position", position.position(), appended);
    }

    /** Checks that there is such a meter, and that another epoch can follow. */
    public void origin(String record, Origin origin, long appended) throws MalformedRecord {
        if (origin.task() >= meters) {
            // all would wait for one that never reads on
            throw new MalformedRecord(record + ".task: there is no such meter: " + origin.task() + " of " + meters);
        }
        atMost(record + ".epoch", origin.epoch(), appended, EPOCH_AHEAD_MILLIS);
    }

    /** Checks a time of an event or of a request log, in epoch milliseconds. */
    public void time(String field, long time, long appended) throws MalformedRecord {
        time(field, time, appended, 0);
    }

    private void time(String field, long time, long appended, long moreMillis) throws MalformedRecord {
        if (time < EARLIEST) {
            throw new MalformedRecord(field + ": " + time + " is before " + EARLIEST + ", the earliest time");
        }
        atMost(field, time, appended, aheadMillis + moreMillis);
    }

    private static void atMost(String field, long time, long appended, long aheadMillis) throws MalformedRecord {
        // without a sum, which could overflow
        if (time - aheadMillis > appended) {
            throw new MalformedRecord(field + ": " + time + " is more than " + aheadMillis
                    + " ms after the record was appended, " + appended);
        }
    }
}
