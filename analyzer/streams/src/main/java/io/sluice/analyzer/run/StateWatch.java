package io.sluice.analyzer.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks once a second whether the state directory is still the one with which the analyzer started. RocksDB goes on writing to
 * files that were deleted, and fails only when it opens the next one. Runs on a thread of its own.
 */
final class StateWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StateWatch.class);
    private static final long EVERY_MILLIS = 1_000;

    private final InstanceLock lock;
    private final Path applicationDirectory;
    private final Consumer<String> whenDeleted;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-state");
        thread.setDaemon(true);
        return thread;
    });
    private boolean deleted;

    /**
     * @param applicationDirectory of Kafka Streams, within the state directory
     * @param whenDeleted called once at most, on the watch's thread, with a line for the log
     */
    StateWatch(InstanceLock lock, Path applicationDirectory, Consumer<String> whenDeleted) {
        this.lock = lock;
        this.applicationDirectory = applicationDirectory;
        this.whenDeleted = whenDeleted;
    }

    /** Watches until it is closed. */
    StateWatch start() {
        var unused = timer.scheduleWithFixedDelay(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    void look() {
        // one that can't be read now may be readable later
        if (deleted || (lock.inPlace() && !Files.notExists(applicationDirectory))) {
            return;
        }
        deleted = true;
        String line = "analyzer.state-dir: " + applicationDirectory.getParent()
                + " was deleted while the analyzer ran; it stops, and rebuilds its state from the changelogs at the next start";
        log.error("{}", line);
        whenDeleted.accept(line);
    }

    @Override
    public void close() {
        timer.shutdown();
    }
}
