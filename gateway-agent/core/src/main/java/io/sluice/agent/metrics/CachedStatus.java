package io.sluice.agent.metrics;

import io.sluice.agent.AgentStatus;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An agent status that is at most half a second old, shared by all meters of a scrape: computing one visits every lock. Thread-safe. */
final class CachedStatus {
    private static final long KEEP_NANOS = 500_000_000;

    private final Supplier<AgentStatus> source;
    private final LongSupplier nanoTime;
    private @Nullable AgentStatus status;
    private long taken;

    CachedStatus(Supplier<AgentStatus> source, LongSupplier nanoTime) {
        this.source = source;
        this.nanoTime = nanoTime;
    }

    synchronized AgentStatus get() {
        long now = nanoTime.getAsLong();
        AgentStatus known = status;
        if (known == null || now - taken >= KEEP_NANOS) {
            known = source.get();
            status = known;
            taken = now;
        }
        return known;
    }
}
