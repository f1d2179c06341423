package io.sluice.agent.internal.gate;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for each subject, found by one look-up that takes no lock and makes no object. Thread-safe: a look-up that begins after a
 * change has ended sees it. Writers to one of its parts wait for each other, also while the part grows; a part holds a 64th of all.
 */
final class SubjectTable {
    private static final int PARTS = 64;

    private final Part[] parts = new Part[PARTS];

    SubjectTable() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part();
        }
    }

    private Part part(long hash) {
        return parts[(int) (hash >>> 56) & (PARTS - 1)];
    }

    /** What is kept for a subject, or {@code null}; the parameters are those of {@link SubjectKey}. */
    @Nullable
    SubjectEntry get(long head, long tail, @Nullable Object name) {
        long hash = SubjectCode.hash(head, tail);
        return part(hash).get(hash, head, tail, name);
    }

    @Nullable
    SubjectEntry get(SubjectKey key) {
        return get(key.head(), key.tail(), key.name());
    }

    /** Adds it, unless something is kept for its subject; false then. */
    boolean add(SubjectEntry added) {
        return part(added.hash()).add(added);
    }

    /** Puts another of the same subject in its place; false when this very one is not there. */
    boolean replace(SubjectEntry known, SubjectEntry next) {
        return part(known.hash()).replace(known, next);
    }

    /** Removes this very one; false when it is not there. */
    boolean remove(SubjectEntry known) {
        return part(known.hash()).remove(known);
    }

    /**
     * Tells of all that are there from beginning to end. What comes, goes or is replaced meanwhile may be told of as it is, as
     * it was, or both.
     */
    void forEach(Consumer<? super SubjectEntry> told) {
        for (Part part : parts) {
            part.forEach(told);
        }
    }

    /**
     * Gates and mere locks apart: a million locks are then in no way of the callers who ask, whose places lie close together. A
     * lock may become a gate, but no gate becomes a lock; so locks that move are there before they go.
     */
    private static final class Part {
        private volatile SubjectHashTable gates = SubjectHashTable.EMPTY;
        private volatile SubjectHashTable locks = SubjectHashTable.EMPTY;

        @Nullable
        SubjectEntry get(long hash, long head, long tail, @Nullable Object name) {
            SubjectEntry gate = gates.get(hash, head, tail, name);
            if (gate != null) {
                return gate;
            }
            SubjectEntry lock = locks.get(hash, head, tail, name);
            // it may have moved since gates were looked at
            return lock != null ? lock : gates.get(hash, head, tail, name);
        }

        synchronized boolean add(SubjectEntry added) {
            if (get(added.hash(), added.head(), added.tail(), added.name()) != null) {
                return false;
            }
            put(added);
            return true;
        }

        private void put(SubjectEntry added) {
            if (added instanceof SubjectGate) {
                gates = gates.with(added);
            } else {
                locks = locks.with(added);
            }
        }

        private SubjectHashTable of(SubjectEntry kept) {
            return kept instanceof SubjectGate ? gates : locks;
        }

        synchronized boolean replace(SubjectEntry known, SubjectEntry next) {
            if (of(known) == of(next)) {
                return of(known).replace(known, next);
            }
            if (!of(known).has(known)) {
                return false;
            }
            put(next);
            return of(known).replace(known, null);
        }

        synchronized boolean remove(SubjectEntry known) {
            return of(known).replace(known, null);
        }

        void forEach(Consumer<? super SubjectEntry> told) {
            // in this order nothing is missed that moves
            locks.forEach(told);
            gates.forEach(told);
        }
    }
}
