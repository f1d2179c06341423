package io.sluice.analyzer.load;

import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Number of active subjects of each policy in the whole fleet, quiet ones included. Meters send sketches, one task for each policy puts them
 * together and publishes the number as a load of its own key. A task that takes over knows the sketches that meters send from then on, so the
 * number that its predecessor published is the least for two windows. One thread.
 */
public final class ActiveTotals {
    // no policy's name has a $
    private static final String ACTIVE = "$active";

    /** How long a number is of use. */
    private static final int WINDOWS = 2;

    /** What the task before this one published, and until when it is of use. */
    private record Former(long count, long at, long until) {}

    private final LoadBook book;
    private final Map<String, ActiveSubjects> active = new HashMap<>();
    private final Map<String, Former> formers = new HashMap<>();
    private final Set<String> changed = new HashSet<>();
    private Map<String, Long> windows = Map.of();

    /** @param book has what was published before */
    public ActiveTotals(LoadBook book) {
        this.book = book;
    }

    /** Returns the key of a policy's number on the usage and the loads topics. */
    public static UsageKey key(String revision) {
        return new UsageKey(ACTIVE, List.of(revision));
    }

    /** Returns whether a key of the usage topic is one of {@link #key}. */
    public static boolean is(UsageKey key) {
        return key.policyRevision().equals(ACTIVE);
    }

    /** Replaces the policies. */
    public void policies(PolicySet set) {
        Map<String, Long> known = new HashMap<>();
        for (Policy policy : set.policies()) {
            known.put(policy.revision(), policy.window().millis());
        }
        windows = known;
        active.keySet().retainAll(known.keySet());
        formers.keySet().retainAll(known.keySet());
    }

    /** Adds a meter's sketch, whose values have been read before. */
    public void add(UsageKey key, UsagePartial partial) {
        String revision = key.subject().isEmpty() ? "" : key.subject().get(0);
        Long window = windows.get(revision);
        if (window != null && !partial.values().none()) {
            ActiveSubjects subjects = active.get(revision);
            if (subjects == null) {
                subjects = begin(revision, window);
            }
            subjects.seen(subjects(partial), partial.newestTime());
            changed.add(revision);
        }
    }

    private ActiveSubjects begin(String revision, long windowMillis) {
        ActiveSubjects subjects = new ActiveSubjects(windowMillis);
        active.put(revision, subjects);
        Load published = book.load(key(revision));
        if (published != null && published.panes() > 0) {
            formers.put(
                    revision,
                    new Former(published.admitted()[0], published.since(), published.since() + WINDOWS * windowMillis));
        }
        return subjects;
    }

    private static DistinctValues subjects(UsagePartial partial) {
        try {
            return DistinctValues.decode(partial.values().bytes());
        } catch (MalformedRecord e) {
            throw new IllegalArgumentException("values that cannot be read", e);
        }
    }

    /**
     * Publishes the numbers that changed.
     *
     * @param now broker time, epoch milliseconds
     */
    public void publish(long now, LoadSink sink) {
        if (now < 0) {
            return;
        }
        for (String revision : changed) {
            ActiveSubjects subjects = active.get(revision);
            if (subjects != null) {
                long[] count = {subjects.count(now)};
                long at = now;
                Former former = formers.get(revision);
                if (former != null && former.count > count[0] && now <= former.until) {
                    count[0] = former.count;
                    at = former.at;
                }
                sink.load(key(revision), new Load(0, count, new long[1], new long[1], at, now));
            }
        }
        changed.clear();
    }

    /**
     * Returns the number of active subjects of a policy in the whole fleet, 0 when it is not known or too old.
     *
     * @param now broker time, epoch milliseconds
     */
    public static long of(LoadBook book, Policy policy, long now) {
        Load load = book.load(key(policy.revision()));
        return load == null
                        || load.panes() == 0
                        || now - load.asOf() > WINDOWS * policy.window().millis()
                ? 0
                : load.admitted()[0];
    }

    /** Discards all state. */
    public void discard() {
        active.clear();
        formers.clear();
        changed.clear();
    }
}
