package io.sluice.contract.topic;

import java.time.Duration;
import org.slf4j.Logger;

/** Logs what goes wrong again and again once a minute, with how often it did. Confined to one thread. */
final class ThrottledLogger {
    private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private final String what;
    private long silenced;
    private long logged;
    private boolean any;

    ThrottledLogger(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    void about(String problem) {
        if (due()) {
            log.warn("{}: {} ({} more like this before)", what, problem, silenced);
            silenced = 0;
        }
    }

    void about(String problem, Throwable e) {
        if (due()) {
            log.warn("{}: {} ({} more like this before)", what, problem, silenced, e);
            silenced = 0;
        }
    }

    private boolean due() {
        long now = System.nanoTime();
        if (any && now - logged < EVERY_NANOS) {
            silenced++;
            return false;
        }
        any = true;
        logged = now;
        return true;
    }
}
