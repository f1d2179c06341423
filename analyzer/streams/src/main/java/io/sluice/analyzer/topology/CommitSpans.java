package io.sluice.analyzer.topology;

import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The {@link CommitSpan} of each meter whose positions a decide task reads. Meters that stand still cost nothing. Not thread-safe. */
final class CommitSpans {
    private final Parts parts;
    private final ThreadCommits commits;
    private final Map<Integer, CommitSpan> spans = new HashMap<>();
    /** Of the meters whose positions were read since the last commit. */
    private final List<CommitSpan> moved = new ArrayList<>();

    private long[] windows = {};
    private int behind;

    CommitSpans(Parts parts, ThreadCommits commits) {
        this.parts = parts;
        this.commits = commits;
    }

    void policies(PolicySet set) {
        windows = CommitSpan.windows(set);
        spans.values().forEach(span -> span.windows(windows));
    }

    /**
     * Takes note of how far a meter has read.
     *
     * @param position append time, epoch milliseconds
     * @param before position up to which everything of the meter was handled before, or {@link ReadPositions#UNKNOWN}; without it, the first
     *     position after a pause of the meter would count as that much log, and ask for a commit at once
     * @return whether it is time to commit
     */
    boolean reached(int meter, long position, long before) {
        CommitSpan span = spans.get(meter);
        if (span == null) {
            span = CommitSpan.of(parts, commits, commits.usage());
            span.windows(windows);
            spans.put(meter, span);
        }
        if (!span.moved()) {
            moved.add(span);
        }
        return span.reached(position, before);
    }

    /**
     * Counts the meters of which something is still to be handled that was sent long ago. Called once a second.
     *
     * @param passed up to where everything of each meter has been handled
     * @param now broker time, or {@link BrokerClock#UNKNOWN}
     */
    void countBehind(MeterPositions.Snapshot passed, long now) {
        int count = 0;
        for (int meter = 0; meter < parts.meters(); meter++) {
            count += CommitSpan.isBehind(passed.position(meter), now, parts.rules()) ? 1 : 0;
        }
        countedBehind(count);
    }

    private void countedBehind(int count) {
        commits.usage().addBehind(count - behind);
        behind = count;
    }

    /** The task is closed. */
    void close() {
        countedBehind(0);
    }

    /** How long after the last commit the next one is due, in milliseconds. */
    long patience() {
        long least = moved.isEmpty() ? parts.rules().commit() : parts.rules().longestCommit();
        for (CommitSpan span : moved) {
            least = Math.min(least, span.patience());
        }
        return least;
    }

    /** All that was read is being committed. */
    void committed() {
        moved.forEach(CommitSpan::committed);
        moved.clear();
    }
}
