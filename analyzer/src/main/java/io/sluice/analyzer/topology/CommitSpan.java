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
 * fast as it can be. Where commits are so slow that {@link ThreadCommits} can't afford that, they hold more: who never gets back
 * to the present guards nobody. One thread.
 */
final class CommitSpan {
    private static final int PARTS = 32;
    private static final long NONE = Long.MIN_VALUE;

    private final LongSupplier nanoTime;
    private final LongUnaryOperator brokerTime;
    private final long backlog;
    private final ThreadCommits commits;
    private long[] windows = {};
    private long committed = NONE;
    private long newest = NONE;

    /**
     * @param nanoTime the monotonic clock
     * @param brokerTime broker time at a nano time, or {@link BrokerClock#UNKNOWN}
     * @param backlog nothing opens on events older than this, in milliseconds
     * @param commits the thread's commits
     */
    CommitSpan(LongSupplier nanoTime, LongUnaryOperator brokerTime, long backlog, ThreadCommits commits) {
        this.nanoTime = nanoTime;
        this.brokerTime = brokerTime;
        this.backlog = backlog;
        this.commits = commits;
    }

    /** What the parts know of time, and how old an event may be that opens something. */
    static CommitSpan of(Parts parts, ThreadCommits commits) {
        return new CommitSpan(
                parts.nanoTime(), parts.fleet().clock()::now, parts.rules().backlog(), commits);
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
            newest = time;
        }
        if (time > newest) {
            commits.gained(time - newest);
            newest = time;
        }
        long span = newest - committed;
        return windows.length > 0
                && span >= windows[0] / PARTS
                && span >= most(brokerTime.applyAsLong(nanoTime.getAsLong()))
                && commits.ask();
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
