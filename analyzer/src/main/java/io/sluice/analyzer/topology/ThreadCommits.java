package io.sluice.analyzer.topology;

/**
 * Whether a commit was asked for by a task or is a usual one. A commit is one of all tasks of a thread, whoever asked for it.
 * Shared by the tasks of one thread.
 */
final class ThreadCommits {
    private boolean asked;
    private boolean committing;

    /** A task of the thread asks for a commit. */
    void ask() {
        asked = true;
    }

    /** Whether some task asked for the next commit, or for the one that is on its way. */
    boolean asked() {
        return asked;
    }

    /** A task of the thread writes what it holds: a commit has begun, if it had not. */
    void committing() {
        committing = true;
    }

    /** A task of the thread is at work: if there was a commit, it is over. */
    void working() {
        if (committing) {
            committing = false;
            asked = false;
        }
    }
}
