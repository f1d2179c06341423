package io.sluice.benchmarks.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Machine of a measurement, in one line. */
final class Machine {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine() {}

    static String describe() {
        Runtime runtime = Runtime.getRuntime();
        return "%d processors (%s), %d GiB, %s %s, Java %s"
                .formatted(
                        runtime.availableProcessors(),
                        processor(),
                        Math.round(memory() / (double) (1L << 30)),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        Runtime.version());
    }

    private static String processor() {
        try (var lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException notLinux) {
            return System.getProperty("os.arch");
        }
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }
}
