package io.sluice.analyzer.run;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.topology.DeadLetterLog;
import io.sluice.analyzer.topology.Tallies;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, from a thread of its own, whether the analyzer catches up and which records could not be read. */
final class ProgressLog implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProgressLog.class);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(ProgressLog::thread);
    private final DeadLetterLog deadLetters;

    private ProgressLog(DeadLetterLog deadLetters) {
        this.deadLetters = deadLetters;
    }

    /** @param lag how far the analyzer is behind the newest request, in milliseconds */
    static ProgressLog start(Supplier<OptionalLong> lag, Tallies tallies, CatchUp catchUp, DeadLetterLog deadLetters) {
        ProgressLog progress = new ProgressLog(deadLetters);
        Runnable look = () -> {
            deadLetters.flush();
            catchUp.update(lag.get(), tallies.total(Count.SILENCED), System.nanoTime())
                    .ifPresent(line -> log.warn("{}", line));
        };
        var unused = progress.timer.scheduleWithFixedDelay(look, 1, 1, TimeUnit.SECONDS);
        return progress;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "sluice-progress");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        deadLetters.close();
    }
}
