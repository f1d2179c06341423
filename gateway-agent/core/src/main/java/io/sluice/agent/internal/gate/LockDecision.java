package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.LeaseExpiry;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision about a subject, in a form common to analyzer and operator. Modes of newer versions become {@link Mode#SHADOW}.
 *
 * @param mode what the lock does
 * @param rate permits per second of a throttle, for the whole fleet
 * @param ratio share of requests that a shedding lock rejects, from 0 to 1
 * @param per the attributes of the record's subject, {@code null} when the record has none
 * @param shadow whether the record itself is in shadow mode
 * @param until the intended end in epoch milliseconds, 0 when only the lease limits it
 * @param lease the end of the lease
 * @param version the position in the order of an analyzer task, {@code null} for an operator
 */
record LockDecision(
        Mode mode,
        double rate,
        double ratio,
        @Nullable List<String> per,
        boolean shadow,
        long until,
        LeaseExpiry lease,
        @Nullable Version version) {

    static LockDecision of(GateLock lock, LeaseExpiry lease) {
        boolean reports = lock.shadow() || lock.guarded();
        return new LockDecision(
                known(lock.mode()),
                lock.rate(),
                lock.ratio(),
                lock.per(),
                reports,
                lock.until(),
                lease,
                lock.version());
    }

    static LockDecision of(OperatorRecord.Lock lock, LeaseExpiry lease) {
        return new LockDecision(known(lock.mode()), lock.rate(), 0, lock.per(), false, 0, lease, null);
    }

    static LockDecision of(OperatorRecord.Release release, LeaseExpiry lease) {
        return new LockDecision(Mode.OPEN, 0, 0, release.per(), false, 0, lease, null);
    }

    /** Returns this decision, with the deadline of a known equal decision if that is earlier. */
    LockDecision cappedBy(@Nullable LockDecision known) {
        return known == null
                ? this
                : new LockDecision(mode, rate, ratio, per, shadow, until, lease.cappedBy(known.lease), version);
    }

    private static Mode known(Mode mode) {
        return mode == Mode.UNKNOWN ? Mode.SHADOW : mode;
    }
}
