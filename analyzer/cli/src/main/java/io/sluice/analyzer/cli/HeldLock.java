package io.sluice.analyzer.cli;

import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A gate that is closed or held open, for display.
 *
 * @param per the attributes that the subject names; {@code null} where the record has none
 * @param mode {@code block}, {@code throttle 20/s}, {@code shadow}…
 * @param leaseEnd broker time at which it ends unless its lease is renewed, epoch milliseconds; {@link Long#MAX_VALUE} for never
 * @param ends when it is meant to end, which may be later: a lock longer than its lease is written again in time
 * @param since broker time at which it opened
 * @param by {@code analyzer}, or the operator's name
 * @param why the evidence, or the operator's reason
 */
record HeldLock(
        String policy,
        List<String> subject,
        @Nullable List<String> per,
        String mode,
        long leaseEnd,
        long ends,
        long since,
        String by,
        String why) {

    private static final String RELEASED = "released";

    static HeldLock of(GateLock lock, long appended, long maxLease) {
        long leaseEnd = LockValidity.leaseEnd(lock, appended, maxLease);
        String mode = lock.mode().name().toLowerCase(Locale.ROOT)
                + (lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "");
        String shadow = lock.guarded() ? " (guarded: reports only)" : lock.shadow() ? " (shadow: reports only)" : "";
        Evidence evidence = lock.evidence();
        return new HeldLock(
                lock.policy(),
                lock.subject(),
                lock.per(),
                mode + shadow,
                leaseEnd,
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
                lock.policy(), lock.subject(), lock.per(), mode, end, end, appended, lock.author(), lock.reason());
    }

    static HeldLock of(OperatorRecord.Release release, long appended) {
        long end = end(release, appended);
        return new HeldLock(
                release.policy(),
                release.subject(),
                release.per(),
                RELEASED,
                end,
                end,
                appended,
                release.author(),
                release.reason());
    }

    static long end(OperatorRecord record, long appended) {
        return LockValidity.operatorEnd(record.ttlMillis(), appended);
    }

    /** Returns whether it holds at this broker time. */
    boolean holds(long now) {
        return LockValidity.holds(leaseEnd, now);
    }

    /** Returns whether it holds a gate open. */
    boolean released() {
        return mode.equals(RELEASED);
    }

    String left(long now) {
        return ends == Long.MAX_VALUE ? "until released" : Spans.text(ends - now);
    }
}
