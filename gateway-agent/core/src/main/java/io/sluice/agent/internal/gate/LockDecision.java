package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.LeaseExpiry;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a record decided about a subject, the same for analyzer and operator. A mode of a newer version reads as
 * {@link Mode#SHADOW}.
 *
 * @param per the attributes that the record's subject names, {@code null} where it does not say
 * @param shadow whether the record itself says that it only reports
 * @param until the intended end in epoch milliseconds, 0 when only the lease says
 * @param version whose word it is in which order, {@code null} for an operator's
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

    /** This decision, held no longer than the same one was known to hold. */
    LockDecision cappedBy(@Nullable LockDecision known) {
        return known == null
                ? this
                : new LockDecision(mode, rate, ratio, per, shadow, until, lease.cappedBy(known.lease), version);
    }

    private static Mode known(Mode mode) {
        return mode == Mode.UNKNOWN ? Mode.SHADOW : mode;
    }
}
