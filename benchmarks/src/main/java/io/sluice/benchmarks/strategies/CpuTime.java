package io.sluice.benchmarks.strategies;

import java.time.Duration;
import java.util.stream.Stream;

/** CPU time of a process and its descendants. */
final class CpuTime {
    private static final double NANOS = 1e9;

    private CpuTime() {}

    /** Returns the seconds that those processes have used that are alive. */
    static double seconds(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .mapToDouble(cpu -> cpu.toNanos() / NANOS)
                .sum();
    }
}
