package io.sluice.demo.stage;

import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.util.List;

/** Locks for tests. */
public final class Locks {
    private Locks() {}

    /** A block that opened at {@code since}, 200 ms after its event. */
    public static GateLock block(String caller, long since, long until) {
        return lock(
                caller,
                Mode.BLOCK,
                since,
                until,
                new Evidence("share", 0.62, 0.4, "requests", 5000, 500, 806, since - 200, since, "p-1"));
    }

    /** A release. */
    public static GateLock open(String caller, long since) {
        return lock(caller, Mode.OPEN, since, since, null);
    }

    private static GateLock lock(String caller, Mode mode, long since, long until, Evidence evidence) {
        return new GateLock(
                "noisy-neighbour",
                List.of(caller),
                mode,
                0,
                0,
                until - since,
                since,
                until,
                1,
                false,
                false,
                evidence,
                new Version("decide-0", 1, 1));
    }
}
