package io.sluice.agent.internal.gate;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy with locks, and the locks of it that the tests of gates write. */
final class GateLocks {
    static final String NOISY = policy("noisy", "");

    private GateLocks() {}

    /** @param more further fields of its locks */
    static String policy(String name, String more) {
        return "{\"name\":\"" + name + "\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]" + more + "}}";
    }

    /** A lock of a minute by {@code noisy}. */
    static GateLock block(GateHarness gates, List<String> subject, @Nullable List<String> per, boolean guarded) {
        GateLock lock = gates.lockOf("noisy", subject.get(0), Mode.BLOCK, 60_000, gates.version(1));
        return new GateLock(
                lock.policy(),
                subject,
                per,
                lock.mode(),
                0,
                0,
                lock.ttlMillis(),
                lock.since(),
                lock.until(),
                1,
                false,
                guarded,
                null,
                lock.version());
    }
}
