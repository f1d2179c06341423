package io.sluice.benchmarks.workload;

import io.sluice.benchmarks.measure.Scale;
import java.util.List;

/** Options of every measured JVM of a comparison: the same for ours and for its peers. */
public final class JavaOptions {
    /** As the launcher {@code ./sluice} starts ours, with a heap that does not depend on the machine. */
    public static final List<String> SERVER = List.of("-Xms2g", "-Xmx2g");

    /** The same, compiled by the compiler that is done in a second: dearer by a constant factor, for short runs. */
    public static final List<String> SHORT = List.of("-Xms2g", "-Xmx2g", "-XX:TieredStopAtLevel=1");

    private JavaOptions() {}

    /** What a run of this length is measured with. */
    public static List<String> of(Scale scale) {
        return scale.choose(SHORT, SERVER);
    }
}
