package io.sluice.benchmarks.strategies;

import io.sluice.testing.StoreServer;
import java.io.IOException;
import java.util.Map;

/** A real store of quotas in processes of its own, with its costs. Used by one thread at a time. */
interface MeasuredStore extends AutoCloseable {

    /** Returns its processes, with their faults. */
    StoreServer server();

    /** Returns where a strategy finds it, the same before and after a restart. */
    Map<String, String> settings();

    /** Returns how many remote calls it has received: of Redis the reads of its sockets, of PostgreSQL the statements. */
    long calls() throws Exception;

    /** Returns the CPU seconds that its live processes have used. */
    default double cpuSeconds() {
        return CpuTime.seconds(server().process());
    }

    @Override
    default void close() throws IOException {
        server().close();
    }
}
