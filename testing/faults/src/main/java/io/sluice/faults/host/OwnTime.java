package io.sluice.faults.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long the current thread had something to do: it ran, or would have run had a processor been free. The rest of the time it
 * waited for another thread or process. Only Linux reports this; elsewhere all time counts as waited.
 */
final class OwnTime {
    private static final Path SCHEDULED = Path.of("/proc/thread-self/schedstat");

    private OwnTime() {}

    static long nanos() {
        try {
            // nanoseconds on a processor, nanoseconds in its queue, how often
            String[] fields = Files.readString(SCHEDULED).split(" ", 3);
            return Long.parseLong(fields[0]) + Long.parseLong(fields[1]);
        } catch (IOException elsewhere) {
            return 0;
        }
    }
}
