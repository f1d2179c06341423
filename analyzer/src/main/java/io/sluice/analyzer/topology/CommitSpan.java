package io.sluice.analyzer.topology;

import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Tells a task that catches up when so much of a log has been read since the last commit that it is time for another.
 *
 * <p>What was handled since the last commit may be counted twice after a kill: once by the meter and once more by the
 * windows. At the usual pace that is a commit interval of the log. A task that catches up reads seconds of it in that time,
 * which in a short window is a good part of all. So a commit then holds a 32nd of a window: twice that is well under a
 * tenth. It is the shortest window that can still open a lock with what is being read; what is too old for any is read as
 * fast as it can be. Where commits are so slow that they would take most of the time, they hold more. One thread.
 */
final class CommitSpan {
    private static final int PARTS = 32;
    /** Who reads a log no faster than this, times its growth, does not catch up. */
    private static final int GAIN = 2;

    private static final long NANOS = 1_000_000;
    private static final long NONE = Long.MIN_VALUE;

    private final LongSupplier nanoTime;
    private final LongUnaryOperator brokerTime;
    private final long backlog;
    private final CommitPace pace;
    private long[] windows = {};
    private long committed = NONE;
    private long newest = NONE;

    /**
     * @param nanoTime the monotonic clock
     * @param brokerTime broker time at a nano time, or {@link BrokerClock#UNKNOWN}
     * @param backlog nothing opens on events older than this, in milliseconds
     * @param pace of the thread's commits
     */
    CommitSpan(LongSupplier nanoTime, LongUnaryOperator brokerTime, long backlog, CommitPace pace) {
        this.nanoTime = nanoTime;
        this.brokerTime = brokerTime;
        this.backlog = backlog;
        this.pace = pace;
    }

    /** What the parts know of time, and how old an event may be that opens something. */
    static CommitSpan of(Parts parts, CommitPace pace) {
        return new CommitSpan(
                parts.nanoTime(), parts.fleet().clock()::now, parts.rules().backlog(), pace);
    }

    void policies(PolicySet set) {
        windows = set.policies().stream()
                .filter(Policy::locks)
                .mapToLong(policy -> policy.window().millis())
                .sorted()
                .toArray();
    }

    /**
     * Takes note of how far the log has been read.
     *
     * @param time append time of what was read, epoch milliseconds
     * @return whether it is time to commit
     */
    boolean reached(long time) {
        if (committed == NONE) {
            committed = time;
        }
        newest = Math.max(newest, time);
        long span = newest - committed;
        if (windows.length == 0 || span < windows[0] / PARTS) {
            return false;
        }
        long nanos = nanoTime.getAsLong();
        return pace.mayCommit(nanos)
                && span >= GAIN * (pace.sinceLast(nanos) / NANOS)
                && span >= most(brokerTime.applyAsLong(nanos));
    }

    private long most(long now) {
        for (long window : windows) {
            if (now == BrokerClock.UNKNOWN || now - newest <= backlog + window) {
                return window / PARTS;
            }
        }
        return Long.MAX_VALUE;
    }

    /** All that was read is being committed. */
    void committed() {
        committed = newest;
    }
}
