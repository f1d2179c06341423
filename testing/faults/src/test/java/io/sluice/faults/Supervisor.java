package io.sluice.faults;

import io.sluice.faults.process.JavaProcess;
import java.time.Duration;

/** Starts a process again whenever it has ended with 1, as an operator's supervisor would, but not for ever. One thread. */
final class Supervisor {
    private final JavaProcess process;
    private final int most;
    private int ends;

    /** @param most so often may it end with 1: more would be a crash loop */
    Supervisor(JavaProcess process, int most) {
        this.process = process;
        this.most = most;
    }

    /** Looks after it once. */
    void look() {
        if (!process.alive()) {
            int code = process.exit(Duration.ZERO).orElseThrow();
            // no AssertionError: an await must not retry after this
            if (code != 1 || ends == most) {
                throw new IllegalStateException("ended with " + code + " after " + ends + " ends: " + process);
            }
            ends++;
            process.restart();
        }
    }

    /** How often it has ended. */
    int ends() {
        return ends;
    }
}
