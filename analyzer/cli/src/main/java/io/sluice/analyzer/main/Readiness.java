package io.sluice.analyzer.main;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Readiness of an analyzer: all its tasks are being worked on, or were so a moment ago. Tasks move whenever an instance comes or
 * goes; a supervisor that took each of those seconds for an illness would keep them moving. Thread-safe.
 */
final class Readiness implements BooleanSupplier {
    static final Duration GRACE = Duration.ofSeconds(30);

    private final BooleanSupplier running;
    private final LongSupplier nanoTime;
    private boolean ran;
    private long lastRan;

    Readiness(BooleanSupplier running, LongSupplier nanoTime) {
        this.running = running;
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized boolean getAsBoolean() {
        long now = nanoTime.getAsLong();
        if (running.getAsBoolean()) {
            ran = true;
            lastRan = now;
            return true;
        }
        return ran && now - lastRan <= GRACE.toNanos();
    }
}
