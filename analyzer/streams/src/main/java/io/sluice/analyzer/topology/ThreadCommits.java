package io.sluice.analyzer.topology;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What the tasks of one thread have to know of each other: they read their logs by turns, and a commit is one of all of them,
 * whoever asked for it. So what commits may cost is reckoned for all together. Shared by the tasks of one thread.
 */
final class ThreadCommits {
    /** So many times as fast as they grow the logs of a thread are read at least, in the mean, commits included. */
    private static final long GAIN = 2;

    private static final long NANOS = 1_000_000;

    private final LongSupplier nanoTime;
    private final boolean doubles;
    private final Set<Runnable> holders = new LinkedHashSet<>();
    private int logs;
    private long gained;
    private long since;
    private boolean asked;
    private boolean committing = true;
    private long ended;

    /**
     * @param nanoTime the monotonic clock
     * @param doubles whether what was not committed may be counted twice after a kill
     */
    ThreadCommits(LongSupplier nanoTime, boolean doubles) {
        this.nanoTime = nanoTime;
        this.doubles = doubles;
    }

    /** Begins to read so many logs more. */
    void begin(int many) {
        logs += many;
    }

    /** Reads so many less. */
    void end(int many) {
        logs -= many;
    }

    /** One of the logs was read on by so much of its time, in milliseconds. */
    void gained(long millis) {
        gained += millis;
    }

    /**
     * Asks for a commit that is not due yet.
     *
     * @return whether it is worth its time, and so was asked for
     */
    boolean ask() {
        if (!doubles || gained < GAIN * logs * ((nanoTime.getAsLong() - since) / NANOS)) {
            return false;
        }
        asked = true;
        return true;
    }

    /** Whether the last commit was so long ago, in milliseconds. */
    boolean due(long millis) {
        return nanoTime.getAsLong() - ended >= millis * NANOS;
    }

    /** A task takes part: {@code leave} lets go of all that it holds back. */
    void join(Runnable leave) {
        holders.add(leave);
    }

    /** It holds nothing back any more. */
    void part(Runnable leave) {
        holders.remove(leave);
    }

    /**
     * A task of the thread lets go of what it holds, because it is to be committed. The first one at a commit takes all
     * others with it: Kafka Streams flushes the thread's producer for each task in turn, and each time it waits for the broker as
     * long as there is something to send.
     *
     * @param leave what the task joined with
     */
    void committing(Runnable leave) {
        if (!committing) {
            committing = true;
            holders.stream().filter(other -> other != leave).forEach(Runnable::run);
        }
        leave.run();
    }

    /** A task of the thread is at work: if there was a commit, it is over. One that nobody asked for is a new beginning. */
    void working() {
        if (!committing) {
            return;
        }
        committing = false;
        ended = nanoTime.getAsLong();
        if (!asked) {
            gained = 0;
            since = ended;
        }
        asked = false;
    }
}
