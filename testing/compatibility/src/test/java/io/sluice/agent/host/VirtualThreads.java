package io.sluice.agent.host;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** Checks on virtual threads, where this Java has them, and how often one of them held its carrier. */
final class VirtualThreads {
    private static final int THREADS = 2000;
    private static final int CHECKS = 20;
    private static final int FIRST_JAVA = 21;
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private VirtualThreads() {}

    static Map<String, Object> check(Runnable check) throws Exception {
        Map<String, Object> figures = new TreeMap<>();
        if (Runtime.version().feature() < FIRST_JAVA) {
            return figures;
        }
        // not there for the compiler, which makes classes for Java 17
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        AtomicInteger done = new AtomicInteger();
        Path file = Files.createTempFile("pinned", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withoutThreshold();
            recording.start();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add((Thread) start.invoke(null, (Runnable) () -> {
                    for (int n = 0; n < CHECKS; n++) {
                        check.run();
                        LockSupport.parkNanos(1);
                        done.incrementAndGet();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            recording.stop();
            recording.dump(file);
        }
        figures.put("virtualChecks", done.get());
        figures.put(
                "pinned",
                RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().equals(PINNED))
                        .count());
        Files.delete(file);
        return figures;
    }
}
