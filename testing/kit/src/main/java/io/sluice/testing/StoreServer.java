package io.sluice.testing;

import java.io.IOException;

/** A real store in processes of its own, with its faults. Used by one thread, except {@link #freeze} and {@link #thaw}. */
public interface StoreServer extends AutoCloseable {
    /**
     * Returns the topmost of its processes.
     *
     * @return another one after each restart
     */
    ProcessHandle process();

    /** Ends it without warning, as SIGKILL does, and waits for the end. */
    default void kill() {
        ProcessHandle killed = process();
        killed.destroyForcibly();
        killed.onExit().join();
    }

    /**
     * Starts the killed store again at the same address, and waits until it answers.
     *
     * @throws IOException when it does not start
     */
    void restart() throws IOException;

    /**
     * Stops all of its processes (SIGSTOP): connections stay open, nothing is answered.
     *
     * @throws IOException when the signal cannot be sent
     */
    default void freeze() throws IOException {
        Signals.stop(process());
    }

    /**
     * Continues its processes (SIGCONT); without effect when they are not stopped.
     *
     * @throws IOException when the signal cannot be sent
     */
    default void thaw() throws IOException {
        Signals.resume(process());
    }

    /**
     * Ends it and removes its files.
     *
     * @throws IOException when they cannot be removed
     */
    @Override
    void close() throws IOException;
}
