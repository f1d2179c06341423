package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.Lease;
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
record Standing(
        Mode mode,
        double rate,
        double ratio,
        @Nullable List<String> per,
        boolean shadow,
        long until,
        Lease lease,
        @Nullable Version version) {

    static Standing of(GateLock lock, Lease lease) {
        boolean reports = lock.shadow() || lock.guarded();
        return new Standing(
                known(lock.mode()),
                lock.rate(),
                lock.ratio(),
                lock.per(),
                reports,
                lock.until(),
                lease,
                lock.version());
    }

    static Standing of(OperatorRecord.Lock lock, Lease lease) {
        return new Standing(known(lock.mode()), lock.rate(), 0, lock.per(), false, 0, lease, null);
    }

    static Standing of(OperatorRecord.Release release, Lease lease) {
        return new Standing(Mode.OPEN, 0, 0, release.per(), false, 0, lease, null);
    }

    /** This decision, held no longer than the same one was known to hold. */
    Standing notBeyond(@Nullable Standing known) {
        return known == null
                ? this
                : new Standing(mode, rate, ratio, per, shadow, until, lease.notBeyond(known.lease), version);
    }

    private static Mode known(Mode mode) {
        return mode == Mode.UNKNOWN ? Mode.SHADOW : mode;
    }
}
