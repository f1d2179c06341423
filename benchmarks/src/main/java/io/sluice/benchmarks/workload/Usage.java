package io.sluice.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import io.sluice.benchmarks.measure.Child;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Called by a child: what this process used for the events of a span, all of its threads, compiler and collector included. */
public final class Usage {
    private static final double NANOS = 1e9;
    private static final double MILLION = 1e6;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String PEAK = "VmHWM:";
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String COMPILER = " Compiler";
    /** Of the fields that follow a thread's name. */
    private static final int USER_TICKS = 11;

    private static final double TICKS_PER_SECOND = 100;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long events;
    private final long begun = System.nanoTime();
    private final long cpu = SYSTEM.getProcessCpuTime();
    private final long collecting = collecting();
    private final double compiling = compiling();

    private Usage(long events) {
        this.events = events;
    }

    /** The span begins; so many events were done before. */
    public static Usage begin(long events) {
        return new Usage(events);
    }

    /** Seconds since the span began. */
    public double seconds() {
        return (System.nanoTime() - begun) / NANOS;
    }

    /**
     * The span is over: tells {@code eventsPerSecond}, {@code cpuSecondsPerMillion}, {@code events} of the span,
     * {@code gcMillis}, and where there is a {@code /proc} {@code compilerCpuSecondsPerMillion}, the part of the CPU seconds
     * that the JVM's compiler took, and {@code peakMebibytes}, the most memory that the process ever held.
     *
     * @param done events done since the process began
     * @param seconds how long they took since the span began
     */
    public void tell(long done, double seconds) {
        long more = done - events;
        if (more <= 0) {
            throw new IllegalStateException("nothing was done in the span: the warm-up took the whole log");
        }
        Child.tell("eventsPerSecond", more / seconds);
        Child.tell("cpuSecondsPerMillion", (SYSTEM.getProcessCpuTime() - cpu) / NANOS / (more / MILLION));
        Child.tell("events", (double) more);
        Child.tell("gcMillis", (double) (collecting() - this.collecting));
        Child.tell("compilerCpuSecondsPerMillion", (compiling() - compiling) / (more / MILLION));
        tellPeak();
    }

    /** CPU seconds of the compiler's threads that are running, so far; 0 where there is no {@code /proc}. */
    private static double compiling() {
        double seconds = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                seconds += compiling(thread.resolve("stat"));
            }
        } catch (IOException notLinux) {
            // no such files
        }
        return seconds;
    }

    /** @param stat file with a thread's number, its name in brackets, and further fields, among them its ticks in user and in system mode */
    private static double compiling(Path stat) {
        try {
            String line = Files.readString(stat);
            int end = line.lastIndexOf(')');
            String[] fields = line.substring(end + 2).split(" ", -1);
            return line.substring(0, end).contains(COMPILER)
                    ? (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1])) / TICKS_PER_SECOND
                    : 0;
        } catch (IOException ended) {
            return 0;
        }
    }

    private static void tellPeak() {
        try (var lines = Files.lines(STATUS)) {
            lines.filter(line -> line.startsWith(PEAK))
                    .map(line -> line.substring(PEAK.length()).replace("kB", "").strip())
                    .forEach(kibibytes -> Child.tell("peakMebibytes", Long.parseLong(kibibytes) / 1024.0));
        } catch (IOException notLinux) {
            // told by no other system
        }
    }

    private static long collecting() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
