package io.sluice.analyzer.topology;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The commits of one stream thread. Kafka Streams commits all tasks of a thread together, whichever of them asked for it, so their
 * cost is measured for the whole thread. Shared by the tasks of one thread; not thread-safe.
 */
final class ThreadCommits {
    /** A log that is read less than this many times as fast as it grows, commits included, gets no early commits. */
    private static final long GAIN = 2;

    /** The median of this many commits is a commit's usual duration: a single slow one does not change it. */
    private static final int REMEMBERED = 7;

    private static final long NANOS = 1_000_000;
    private static final long NONE = Long.MIN_VALUE;

    private final LongSupplier nanoTime;
    private final boolean doubles;
    private final ReadProgress requests;
    private final ReadProgress usage;
    private final Set<Runnable> holders = new LinkedHashSet<>();
    private final long[] durations = new long[REMEMBERED];
    private int commits;
    private long usualDuration;
    private boolean committing = true;
    /** Before the first commit there is none. */
    private long began = NONE;

    private long ended;

    /**
     * @param nanoTime the monotonic clock
     * @param doubles whether what was not committed may be counted twice after a kill
     */
    ThreadCommits(LongSupplier nanoTime, boolean doubles) {
        this.nanoTime = nanoTime;
        this.doubles = doubles;
        this.requests = new ReadProgress();
        this.usage = new ReadProgress();
        ended = nanoTime.getAsLong();
    }

    /** Returns whether what was not committed may be counted twice after a kill. */
    boolean doubles() {
        return doubles;
    }

    /** Returns the progress of the logs of requests. */
    ReadProgress requests() {
        return requests;
    }

    /** Returns the progress of what meters sent to decide tasks. */
    ReadProgress usage() {
        return usage;
    }

    /**
     * Returns whether logs can afford a commit that is not due yet: with a commit of the usual duration, those that are behind are still read
     * twice as fast as they grow, all together. A single one that jumps ahead proves nothing: with many logs each commit would hold one jump, and
     * commits would take all the time.
     */
    boolean affordable(ReadProgress logs) {
        return doubles && logs.mean() * NANOS >= GAIN * (nanoTime.getAsLong() - ended + usualDuration);
    }

    /** Returns whether the last commit ended so many milliseconds ago or earlier. */
    boolean due(long millis) {
        return nanoTime.getAsLong() - ended >= millis * NANOS;
    }

    /**
     * Adds a task.
     *
     * @param flush forwards all that the task holds back
     */
    void join(Runnable flush) {
        holders.add(flush);
    }

    /** Removes a task: it holds nothing back any more. */
    void part(Runnable flush) {
        holders.remove(flush);
    }

    /**
     * Flushes a task that is about to be committed. The first one at a commit takes all others with it: Kafka Streams flushes the
     * thread's producer for each task in turn, and each time it waits for the broker as long as there is something to send.
     *
     * @param flush what the task joined with
     */
    void committing(Runnable flush) {
        if (!committing) {
            committing = true;
            began = nanoTime.getAsLong();
            requests.committed();
            usage.committed();
            holders.stream().filter(other -> other != flush).forEach(Runnable::run);
        }
        flush.run();
    }

    /** A task of the thread is at work: if there was a commit, it is over. */
    void working() {
        if (!committing) {
            return;
        }
        committing = false;
        ended = nanoTime.getAsLong();
        if (began != NONE) {
            durations[commits % REMEMBERED] = ended - began;
            commits = commits == 2 * REMEMBERED - 1 ? REMEMBERED : commits + 1;
            usualDuration = median();
        }
    }

    private long median() {
        long[] sorted = Arrays.copyOf(durations, Math.min(commits, REMEMBERED));
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2];
    }
}
