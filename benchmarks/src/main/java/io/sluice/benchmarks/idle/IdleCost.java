package io.sluice.benchmarks.idle;

import com.sun.management.OperatingSystemMXBean;
import io.sluice.benchmarks.measure.Child;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** CPU and heap of this process while it is idle. */
final class IdleCost {
    static final String CPU = "cpu";
    /** Without the compiler and the collector: that of a process that has been idle for long. */
    static final String THREADS_CPU = "cpu-without-compiler-and-collector";

    static final String HEAP = "heap";
    private static final double MEBIBYTE = 1 << 20;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final long begun = System.nanoTime();
    private final long cpu = system.getProcessCpuTime();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> threadCpu = threadCpu();

    private IdleCost() {}

    static IdleCost begin() {
        return new IdleCost();
    }

    /** Measures for so many seconds, and reports CPU and heap. */
    void tell(long seconds) throws InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
        double percent = 100.0 / (System.nanoTime() - begun);
        Child.tell(CPU, percent * (system.getProcessCpuTime() - cpu));
        long spent = 0;
        for (Map.Entry<Long, Long> thread : threadCpu().entrySet()) {
            spent += thread.getValue() - threadCpu.getOrDefault(thread.getKey(), 0L);
        }
        Child.tell(THREADS_CPU, percent * spent);
        System.gc();
        Child.tell(
                HEAP, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTE);
    }

    private Map<Long, Long> threadCpu() {
        Map<Long, Long> nanos = new HashMap<>();
        for (long thread : threads.getAllThreadIds()) {
            long spent = threads.getThreadCpuTime(thread);
            // -1 for one that has just ended
            if (spent >= 0) {
                nanos.put(thread, spent);
            }
        }
        return nanos;
    }
}
