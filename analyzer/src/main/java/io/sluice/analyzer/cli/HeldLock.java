package io.sluice.analyzer.cli;

import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.operator.OperatorRecord;
import java.util.List;
import java.util.Locale;

/**
 * A gate that somebody closed or holds open, as a person wants to see it.
 *
 * @param mode {@code block}, {@code throttle 20/s}, {@code shadow}…
 * @param ends broker time at which it ends unless it is renewed, epoch milliseconds; {@link Long#MAX_VALUE} for never
 * @param since broker time at which it opened
 * @param by {@code analyzer}, or the operator's name
 * @param why the evidence, or the operator's reason
 */
record HeldLock(String policy, List<String> subject, String mode, long ends, long since, String by, String why) {

    private static final String RELEASED = "released";

    static HeldLock of(GateLock lock, long appended) {
        String mode = lock.mode().name().toLowerCase(Locale.ROOT)
                + (lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "");
        String shadow = lock.guarded() ? " (guarded: reports only)" : lock.shadow() ? " (shadow: reports only)" : "";
        Evidence evidence = lock.evidence();
        return new HeldLock(
                lock.policy(),
                lock.subject(),
                mode + shadow,
                // a long lock is written anew before its lease ends, so its intent tells more than its lease
                Math.max(lock.until(), appended + lock.ttlMillis()),
                lock.since(),
                "analyzer",
                evidence == null ? "" : EvidenceText.seen(evidence));
    }

    static HeldLock of(OperatorRecord.Lock lock, long appended) {
        String mode = lock.mode().name().toLowerCase(Locale.ROOT)
                + (lock.rate() > 0 ? " " + Spans.number(lock.rate()) + "/s" : "");
        return new HeldLock(
                lock.policy(), lock.subject(), mode, end(lock, appended), appended, lock.author(), lock.reason());
    }

    static HeldLock of(OperatorRecord.Release release, long appended) {
        return new HeldLock(
                release.policy(),
                release.subject(),
                RELEASED,
                end(release, appended),
                appended,
                release.author(),
                release.reason());
    }

    static long end(OperatorRecord record, long appended) {
        return record.ttlMillis() == 0 ? Long.MAX_VALUE : appended + record.ttlMillis();
    }

    /** Whether it holds a gate open. */
    boolean released() {
        return mode.equals(RELEASED);
    }

    String left(long now) {
        return ends == Long.MAX_VALUE ? "until released" : Spans.text(ends - now);
    }
}
