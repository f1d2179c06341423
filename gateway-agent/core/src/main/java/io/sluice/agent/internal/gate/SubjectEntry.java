package io.sluice.agent.internal.gate;

import org.jspecify.annotations.Nullable;

/**
 * The entry of a subject in its table: a {@link SubjectGate}, or only an analyzer's lock, since there can be a million locks. A throttle becomes
 * a gate at its first permit. The entry contains the subject's key, so that comparing it needs no further memory access.
 */
sealed interface SubjectEntry permits SubjectGate, LockEntry {
    /** Returns the key's first half. */
    long head();

    /** Returns the key's second half. */
    long tail();

    /** Returns the key's name, if it has one. */
    @Nullable
    Object name();

    /** Returns whether this is the entry of the subject with this key. */
    default boolean isOf(long head, long tail, @Nullable Object name) {
        return head == head() && tail == tail() && (tail >= 0 || (name != null && name.equals(name())));
    }

    /** Returns the key's hash. */
    default long hash() {
        return SubjectCode.hash(head(), tail());
    }

    default SubjectKey key() {
        return new SubjectKey(head(), tail(), name());
    }

    /** Returns the analyzer's lock or release. */
    @Nullable
    LockEntry analyzer();

    /** Returns the operator's lock or release. */
    @Nullable
    LockEntry operator();

    /** Returns whether there is any lock or release, in force or not. */
    default boolean held() {
        return analyzer() != null || operator() != null;
    }

    /** Returns the lock or release that applies: the operator's takes precedence over the analyzer's. */
    @Nullable
    LockEntry lock(long now, boolean operatorOnly);
}
