package io.sluice.analyzer.topology;

import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Decides when a task that reads one log commits: more often than usual when it catches up, less often when it is far behind.
 *
 * <p>What was handled since the last commit may be counted twice after a kill: once by the meter and once more by the
 * windows. At the usual pace that is a commit interval of the log. A task that catches up reads seconds of it in that time,
 * which in a short window is a good part of all. So a commit holds a 32nd of a window at most: twice that is well under a
 * tenth. It is the shortest window that can still open a lock with what is being read; what is too old for any is read as
 * fast as possible. Where commits take so long that {@link ThreadCommits#affordable} denies it, they hold more: twice the time from one
 * commit to the next, since an analyzer that never gets back to the present protects nothing.
 *
 * <p>The fewer events a commit holds, the less is combined in it, and the slower a log is read. A commit may therefore be late by a
 * part of the time by which the log is read behind its end, while it holds less than half of what it may hold. Not thread-safe.
 */
final class CommitSpan {
    private static final int PARTS = 32;
    /** A commit waits no longer than for such a part of what its log is read behind its end. */
    private static final int LATER = 4;

    /** However short a window is, commits come at most this many times as often as the interval. */
    private static final int MORE_OFTEN = 4;

    /** Behind is what was appended so many commit intervals before what is appended now. */
    private static final int BEHIND = 4;

    private static final long NONE = Long.MIN_VALUE;

    private final LongSupplier nanoTime;
    private final LongUnaryOperator brokerTime;
    private final Parts.Rules rules;
    private final ThreadCommits commits;
    private final ReadProgress progress;
    private long[] windows = {};
    private long committed = NONE;
    private long newest = NONE;
    private boolean moved;

    /**
     * @param nanoTime the monotonic clock
     * @param brokerTime broker time at a nano time, or {@link BrokerClock#UNKNOWN}
     * @param rules how old an event may be that opens something, and how long a commit waits
     * @param commits the thread's commits
     * @param progress of the logs of this kind in the thread
     */
    CommitSpan(
            LongSupplier nanoTime,
            LongUnaryOperator brokerTime,
            Parts.Rules rules,
            ThreadCommits commits,
            ReadProgress progress) {
        this.nanoTime = nanoTime;
        this.brokerTime = brokerTime;
        this.rules = rules;
        this.commits = commits;
        this.progress = progress;
    }

    /** What the parts know of time and rules. */
    static CommitSpan of(Parts parts, ThreadCommits commits, ReadProgress progress) {
        return new CommitSpan(parts.nanoTime(), parts.fleet().clock()::now, parts.rules(), commits, progress);
    }

    void policies(PolicySet set) {
        windows(windows(set));
    }

    /** Returns the windows of the policies that lock, in milliseconds, the shortest first. */
    static long[] windows(PolicySet set) {
        return set.policies().stream()
                .filter(Policy::locks)
                .mapToLong(policy -> policy.window().millis())
                .sorted()
                .toArray();
    }

    /** @param shared {@link #windows(PolicySet)}, not changed */
    void windows(long[] shared) {
        windows = shared;
    }

    /** Returns whether something was read since the last commit. */
    boolean moved() {
        return moved;
    }

    /**
     * Takes note of how far the log has been read.
     *
     * @param time append time of what was read, epoch milliseconds
     * @return whether it is time to commit
     */
    boolean reached(long time) {
        return reached(time, ReadPositions.UNKNOWN);
    }

    /**
     * The same of a log that is read elsewhere and of which nothing may have been handled for long.
     *
     * @param before position of the log up to which everything was handled before this was, or {@link ReadPositions#UNKNOWN}
     */
    boolean reached(long time, long before) {
        if (!moved && before != ReadPositions.UNKNOWN) {
            committed = Math.max(committed, before);
            newest = Math.max(newest, before);
        }
        moved = true;
        if (committed == NONE) {
            committed = time;
            newest = time;
        }
        progress.add(Math.max(0, time - newest));
        newest = Math.max(newest, time);
        long span = newest - committed;
        return windows.length > 0 && span >= windows[0] / PARTS && span >= most(now()) && commits.affordable(progress);
    }

    /**
     * Returns whether a log is behind.
     *
     * @param position everything that was appended up to this time has been read, epoch milliseconds, or {@link ReadPositions#UNKNOWN}
     * @param now broker time, or {@link BrokerClock#UNKNOWN}
     */
    static boolean isBehind(long position, long now, Parts.Rules rules) {
        return position != ReadPositions.UNKNOWN
                && now != BrokerClock.UNKNOWN
                && now - position > BEHIND * rules.commit();
    }

    /**
     * How long after the last commit the next one is due, whatever has been read.
     *
     * @param position everything that was appended up to this time has been read, epoch milliseconds, or {@link
     *     ReadPositions#UNKNOWN}
     */
    long patience(long position) {
        long now = now();
        if (position == ReadPositions.UNKNOWN || now == BrokerClock.UNKNOWN || newest - committed >= most(now) / 2) {
            return usual();
        }
        return Math.max(usual(), Math.min(rules.longestCommit(), (now - position) / LATER));
    }

    /** A commit interval; where it is more than a 32nd of the shortest window, less than that. */
    private long usual() {
        long interval = rules.commit();
        return windows.length == 0 || !commits.doubles()
                ? interval
                : Math.max(interval / MORE_OFTEN, Math.min(interval, windows[0] / PARTS));
    }

    /** Returns {@link #patience(long)} for the position of {@link #reached}. */
    long patience() {
        return patience(newest);
    }

    private long now() {
        return brokerTime.applyAsLong(nanoTime.getAsLong());
    }

    private long most(long now) {
        for (long window : windows) {
            if (now == BrokerClock.UNKNOWN || now - newest <= rules.backlog() + window) {
                return window / PARTS;
            }
        }
        return Long.MAX_VALUE;
    }

    /** All that was read is being committed. */
    void committed() {
        committed = newest;
        moved = false;
    }
}
