package io.sluice.analyzer.load;

import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Watches: a decide task asks all meters to hold nothing of a subject back for a time. They travel on the loads topic, under keys of their
 * own, as empty loads whose {@code asOf} is the end of the watch.
 */
public final class WatchKeys {
    // no policy's name has a $
    private static final String WATCH = "$watch";

    /** Stands for the spread of callers in place of a policy. */
    private static final String SPREAD = "$spread";

    private static final long[] NOTHING = {};

    private WatchKeys() {}

    /** Returns the key of a subject's watch. */
    static UsageKey of(UsageKey subject) {
        List<String> elements = new ArrayList<>(subject.subject().size() + 1);
        elements.add(subject.policyRevision());
        elements.addAll(subject.subject());
        return new UsageKey(WATCH, elements);
    }

    /**
     * Returns the subject whose watch asks all meters not to rely on a spread of callers, because one was reported by more meters.
     *
     * @param claimed the spread that the sources claim
     */
    public static UsageKey spread(int claimed) {
        return new UsageKey(SPREAD, List.of(Integer.toString(claimed)));
    }

    /** Returns whether a key of the loads topic is that of a watch for a {@link #spread}. */
    public static boolean isSpread(UsageKey key) {
        return is(key) && key.subject().get(0).equals(SPREAD) && key.subject().size() > 1;
    }

    /** Returns whether a key of the loads topic is that of a watch, with a {@link #subject}: any program may write to the topic. */
    public static boolean is(UsageKey key) {
        return key.policyRevision().equals(WATCH)
                && !key.subject().isEmpty()
                && !key.subject().get(0).isEmpty();
    }

    /** Returns the subject that a key watches. */
    public static UsageKey subject(UsageKey key) {
        List<String> elements = key.subject();
        return new UsageKey(elements.get(0), elements.subList(1, elements.size()));
    }

    /** Returns the record of a watch that ends at so many epoch milliseconds. */
    static Load until(long end) {
        return new Load(0, NOTHING, NOTHING, NOTHING, 0, end);
    }
}
