package io.sluice.benchmarks.workload;

import java.util.List;

/** What every measured JVM of a comparison is started with: the same for ours and for its peers. */
public final class JavaOptions {
    /** As the launcher {@code ./sluice} starts ours, with a heap that does not depend on the machine. */
    public static final List<String> SERVER = List.of("-Xms2g", "-Xmx2g");

    private JavaOptions() {}
}
