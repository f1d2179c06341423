package io.sluice.agent.internal.gate;

import org.jspecify.annotations.Nullable;

/**
 * What a table keeps for a subject: a {@link SubjectGate}, or where there is nothing but an analyzer's lock that lock itself, for
 * locks can be a million. A throttle becomes a gate when it is asked for its first permit. It carries its subject's key, so that who finds it needs no step into memory to compare it.
 */
sealed interface SubjectEntry permits SubjectGate, LockEntry {
    /** The key's first half. */
    long head();

    /** The key's second half. */
    long tail();

    /** The key's name, if it has one. */
    @Nullable
    Object name();

    /** Whether it is kept for this subject. */
    default boolean isOf(long head, long tail, @Nullable Object name) {
        return head == head() && tail == tail() && (tail >= 0 || (name != null && name.equals(name())));
    }

    /** The hash of its key. */
    default long hash() {
        return SubjectCode.hash(head(), tail());
    }

    default SubjectKey key() {
        return new SubjectKey(head(), tail(), name());
    }

    /** The analyzer's word. */
    @Nullable
    LockEntry analyzer();

    /** An operator's word. */
    @Nullable
    LockEntry operator();

    /** What holds for this subject: an operator's word before the analyzer's. */
    @Nullable
    LockEntry lock(long now, boolean operatorOnly);
}
