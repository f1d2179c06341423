package io.sluice.benchmarks.strategies;

import java.io.IOException;
import java.util.Map;

/** A real store of quotas in processes of its own, with its faults and its costs. Used by one thread at a time. */
interface MeasuredStore extends AutoCloseable {

    /** Returns where a strategy finds it, the same before and after a restart. */
    Map<String, String> settings();

    /** Ends it without warning, and waits for the end. */
    void kill() throws Exception;

    /** Starts it again at the same address, and waits until it answers. */
    void restart() throws Exception;

    /** Stops its processes; connections stay open. */
    void freeze() throws Exception;

    /** Continues its processes. */
    void thaw() throws Exception;

    /** Returns how many remote calls it has received: of Redis the reads of its sockets, of PostgreSQL the statements. */
    long calls() throws Exception;

    /** Returns the CPU seconds that its live processes have used. */
    double cpuSeconds() throws Exception;

    @Override
    void close() throws IOException;
}
