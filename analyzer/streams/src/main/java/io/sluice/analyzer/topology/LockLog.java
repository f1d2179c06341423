package io.sluice.analyzer.topology;

import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A line in the log for what happens to a lock. Subjects come from clients: what is not plain text is escaped. */
final class LockLog {
    private static final Logger log = LoggerFactory.getLogger(LockLog.class);

    private LockLog() {}

    static void tell(LockTransition transition) {
        if (log.isInfoEnabled()) {
            log.info("{}", line(transition));
        }
    }

    static String line(LockTransition transition) {
        GateLock lock = transition.lock();
        String subject = plain(String.join(" ", GateKeys.of(lock)));
        return switch (transition.event()) {
            case OPENED, ARMED -> "locked " + subject + ": " + how(lock);
            case GUARDED -> "guard: " + subject + " only reports, " + how(lock);
            case CHANGED -> "changed " + subject + ": " + how(lock);
            case RELEASED -> "released " + subject;
            case EXPIRED, UNKNOWN -> transition.event().spelling() + " " + subject;
        };
    }

    private static String how(GateLock lock) {
        String mode = lock.mode().spelling() + (lock.shadow() && !lock.guarded() ? " (shadow)" : "");
        Evidence why = lock.evidence();
        return mode + " for " + (lock.until() - lock.since()) / 1_000 + " s"
                + (why == null
                        ? ""
                        : ", " + why.detector() + " " + why.observed() + " over " + why.threshold() + " "
                                + why.measure());
    }

    /** One line whatever stands in it: only printable ASCII is left as it is. */
    private static String plain(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (c < ' ' || c > '~' || c == '\\') {
                line.append(String.format("\\u%04x", c));
            } else {
                line.append((char) c);
            }
        });
        return line.toString();
    }
}
