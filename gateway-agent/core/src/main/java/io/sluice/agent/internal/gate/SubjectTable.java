package io.sluice.agent.internal.gate;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries of all subjects. A look-up takes no lock and allocates nothing. Thread-safe: a look-up that begins after a change has ended sees
 * it. Writers of the same of 64 parts exclude each other, also while the part grows.
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

    /** Returns the entry of a subject, or {@code null}; parameters as in {@link SubjectKey}. */
    @Nullable
    SubjectEntry get(long head, long tail, @Nullable Object name) {
        long hash = SubjectCode.hash(head, tail);
        return part(hash).get(hash, head, tail, name);
    }

    @Nullable
    SubjectEntry get(SubjectKey key) {
        return get(key.head(), key.tail(), key.name());
    }

    /** Adds an entry; false when its subject has one. */
    boolean add(SubjectEntry added) {
        return part(added.hash()).add(added);
    }

    /** Replaces this entry by another of the same subject; false when it is not present. */
    boolean replace(SubjectEntry known, SubjectEntry next) {
        return part(known.hash()).replace(known, next);
    }

    /** Removes this entry; false when it is not present. */
    boolean remove(SubjectEntry known) {
        return part(known.hash()).remove(known);
    }

    /** Visits all entries that are present throughout. Entries that are added, removed or replaced meanwhile may be visited before, after, or both. */
    void forEach(Consumer<? super SubjectEntry> told) {
        for (Part part : parts) {
            part.forEach(told);
        }
    }

    /**
     * Gates and plain locks are separate, so that a million locks do not spread out the entries of active callers in memory. A lock may become a
     * gate but not the reverse; so a moving lock is added before it is removed.
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
