package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A gate that is closed or held open, for display.
 *
 * @param per the attributes that the subject names; {@code null} where the record has none
 * @param mode {@code block}, {@code throttle 20/s}, {@code shadow}…
 * @param ends broker time at which it is meant to end, epoch milliseconds; {@link Long#MAX_VALUE} for never
 * @param since broker time at which it opened
 * @param by {@code analyzer}, or the operator's name
 * @param why the evidence, or the operator's reason
 */
record HeldLock(
        String policy,
        List<String> subject,
        @Nullable List<String> per,
        String mode,
        long ends,
        long since,
        String by,
        String why) {

    private static final String RELEASED = "released";

    /** Returns the locks and releases that hold at {@code now}, newest first. */
    static List<HeldLock> all(FleetState fleet, long now) {
        List<HeldLock> held = new ArrayList<>();
        fleet.locks(now).forEach(lock -> held.add(of(lock.record(), fleet.leaseEnd(lock))));
        for (Appended<OperatorRecord> said : fleet.operators(now)) {
            if (said.record() instanceof OperatorRecord.Lock lock) {
                held.add(of(lock, said.append()));
            } else if (said.record() instanceof OperatorRecord.Release release) {
                held.add(of(release, said.append()));
            }
        }
        held.sort(Comparator.comparingLong(HeldLock::since)
                .reversed()
                .thenComparing(lock -> lock.subject().toString()));
        return held;
    }

    static HeldLock of(GateLock lock, long leaseEnd) {
        String mode = lock.mode().name().toLowerCase(Locale.ROOT)
                + (lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "");
        String shadow = lock.guarded() ? " (guarded: reports only)" : lock.shadow() ? " (shadow: reports only)" : "";
        Evidence evidence = lock.evidence();
        return new HeldLock(
                lock.policy(),
                lock.subject(),
                lock.per(),
                mode + shadow,
                Math.max(lock.until(), leaseEnd),
                lock.since(),
                "analyzer",
                evidence == null ? "" : EvidenceText.seen(evidence));
    }

    static HeldLock of(OperatorRecord.Lock lock, long appended) {
        String mode = lock.mode().name().toLowerCase(Locale.ROOT)
                + (lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "");
        long end = end(lock, appended);
        return new HeldLock(
                lock.policy(), lock.subject(), lock.per(), mode, end, appended, lock.author(), lock.reason());
    }

    static HeldLock of(OperatorRecord.Release release, long appended) {
        long end = end(release, appended);
        return new HeldLock(
                release.policy(),
                release.subject(),
                release.per(),
                RELEASED,
                end,
                appended,
                release.author(),
                release.reason());
    }

    static long end(OperatorRecord record, long appended) {
        return LockValidity.operatorEnd(record.ttlMillis(), appended);
    }

    /** Returns whether it holds a gate open. */
    boolean released() {
        return mode.equals(RELEASED);
    }

    String left(long now) {
        return ends == Long.MAX_VALUE ? "until released" : Spans.text(ends - now);
    }
}
