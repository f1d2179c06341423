package io.sluice.analyzer.topology;

import java.util.function.LongSupplier;

/**
 * Keeps commits that tasks ask for from taking over a stream thread. A commit is one of all tasks of the thread, whoever
 * asked for it, and nothing is read meanwhile; so another one may be asked for only after the thread has worked for twice
 * as long as the last one took. What tasks ask for then costs a third of the time at the most, and one that has fallen
 * behind gains on the present however short its windows are. Shared by the tasks of one thread.
 */
final class CommitPace {
    private static final int WORK = 2;

    private final LongSupplier nanoTime;
    private boolean committing;
    private long began;
    private long ended;
    private long took;

    /** @param nanoTime the monotonic clock */
    CommitPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        ended = nanoTime.getAsLong();
    }

    /** A task of the thread writes what it holds: a commit has begun, if it had not. */
    void committing() {
        if (!committing) {
            committing = true;
            began = nanoTime.getAsLong();
        }
    }

    /** A task of the thread is at work: if there was a commit, it is over. */
    void working() {
        if (committing) {
            committing = false;
            ended = nanoTime.getAsLong();
            took = ended - began;
        }
    }

    /** Whether the last commit was long enough ago. */
    boolean mayCommit(long nanos) {
        return sinceLast(nanos) >= WORK * took;
    }

    /** For how long the thread has worked since the last commit, in nanoseconds. */
    long sinceLast(long nanos) {
        return nanos - ended;
    }
}
