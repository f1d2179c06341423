package io.sluice.benchmarks.recovery;

import java.lang.management.ManagementFactory;

/** How old this process is. */
final class Lifetime {

    private Lifetime() {}

    /** Since its Java machine began to start. */
    static double seconds() {
        return (System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime())
                / 1e3;
    }
}
