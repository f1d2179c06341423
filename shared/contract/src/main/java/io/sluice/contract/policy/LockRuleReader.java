package io.sluice.contract.policy;

import io.sluice.contract.lock.Mode;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads {@code lock}. */
final class LockRuleReader {
    private static final List<String> KEYS =
            List.of("when", "mode", "rate", "shadow", "for", "upTo", "release", "escalate", "closes", "onDegraded");
    private static final List<Mode> MODES = List.of(Mode.BLOCK, Mode.THROTTLE, Mode.SHED, Mode.SHADOW);
    private static final List<OnDegraded> DEGRADED = List.of(OnDegraded.values());
    private static final String DEBT = "debt";
    private static final double LEAST_RATE = 1e-6;
    private static final double MOST_RATE = 1e9;
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    // demand over 80 % renews a lock: what released it must lie below, or it would open and shut
    private static final double MOST_RELEASE = 0.8;

    private final Fields lock;
    private final Counting counting;

    LockRuleReader(Fields lock, Counting counting) {
        this.lock = lock;
        this.counting = counting;
    }

    LockRule read() {
        lock.allow(KEYS);
        List<Condition> when = new ConditionReader(counting).when(lock);
        Mode mode = lock.has("mode") ? lock.choice("mode", Mode.UNKNOWN, MODES) : Mode.BLOCK;
        double rate = rate(mode);
        if (mode == Mode.SHED) {
            checkShed(when);
        }
        boolean debt = DEBT.equals(lock.scalar("for", "", text -> text));
        long forMillis = debt ? 0 : lock.duration("for", 5 * MINUTE, SECOND, 30 * DAY);
        if (debt) {
            checkDebt(when);
        } else if (lock.has("upTo")) {
            lock.wrong("upTo", "only for a lock with for: debt; a longer repeat is escalate");
        }
        return new LockRule(
                when,
                mode,
                rate,
                lock.truth("shadow", false),
                forMillis,
                debt,
                debt ? lock.duration("upTo", 2 * HOUR, SECOND, 30 * DAY) : 0,
                release(),
                escalate(forMillis),
                closes(),
                lock.choice("onDegraded", OnDegraded.LOCAL, DEGRADED));
    }

    private double rate(Mode mode) {
        if (mode == Mode.THROTTLE && !lock.has("rate")) {
            lock.wrong("mode", "needs a rate beside it, such as rate: 50/s");
        }
        if (lock.has("rate") && mode != Mode.THROTTLE && mode != Mode.UNKNOWN) {
            lock.wrong("rate", "only for mode: throttle");
            return 0;
        }
        return lock.scalar("rate", 0.0, text -> {
            double rate = Quantities.rate(text).perSecond();
            if (rate < LEAST_RATE || rate > MOST_RATE) {
                throw new IllegalArgumentException("allowed: a rate from 0.1/d to 1000000000/s");
            }
            return rate;
        });
    }

    private void checkShed(List<Condition> when) {
        if (counting.measure() instanceof Measure.Distinct) {
            lock.wrong("mode", "not for distinct: rejecting a part of the requests does not lower it in proportion");
        }
        if (!each(when, LockRuleReader::hasAbove)) {
            lock.wrong("mode", "needs above in each of its conditions: that is what it sheds down to");
        } else if (allowsNothing(when)) {
            lock.wrong("mode", "needs above more than 0: there is nothing to shed down to");
        }
    }

    private void checkDebt(List<Condition> when) {
        Measure measure = counting.measure();
        boolean payable = measure == null || measure instanceof Measure.Requests || measure instanceof Measure.Cost;
        if (!payable || !each(when, Condition.Above.class::isInstance)) {
            lock.wrong("for", "needs measure: requests or cost, and no other condition than above");
        } else if (allowsNothing(when)) {
            lock.wrong("for", "needs above more than 0: a debt to nothing is never paid");
        }
        if (lock.has("escalate")) {
            lock.wrong("escalate", "not with for: debt, whose length is the debt itself");
        }
    }

    private static boolean each(List<Condition> when, Predicate<Condition> test) {
        return when.stream().allMatch(test);
    }

    private static boolean hasAbove(Condition condition) {
        return condition instanceof Condition.Above
                || (condition instanceof Condition.All all
                        && all.conditions().stream().anyMatch(Condition.Above.class::isInstance));
    }

    /** Returns whether a condition is over at the first request. */
    private static boolean allowsNothing(List<Condition> when) {
        return when.stream()
                .anyMatch(condition -> condition instanceof Condition.All all
                        ? allowsNothing(all.conditions())
                        : condition instanceof Condition.Above above && above.threshold() == 0);
    }

    private double release() {
        return lock.scalar("release", 0.5, text -> {
            double part = Quantities.part(text);
            if (part > MOST_RELEASE) {
                throw new IllegalArgumentException("allowed: 0% to 80% (demand above 80% renews the lock)");
            }
            return part;
        });
    }

    private LockRule.@Nullable Escalate escalate(long forMillis) {
        Fields escalate = lock.fields("escalate");
        if (escalate == null) {
            return null;
        }
        escalate.allow(List.of("factor", "upTo", "forget"));
        double factor = escalate.scalar("factor", 2.0, text -> {
            double value = Quantities.number(text);
            if (value <= 1 || value > 1000) {
                throw new IllegalArgumentException("allowed: a factor above 1, at most 1000");
            }
            return value;
        });
        long upTo = escalate.duration("upTo", Math.max(forMillis, 2 * HOUR), SECOND, 30 * DAY);
        if (upTo < forMillis) {
            escalate.wrong("upTo", "allowed: at least as long as for, " + Quantities.durationText(forMillis));
        }
        return new LockRule.Escalate(factor, upTo, escalate.duration("forget", DAY, SECOND, 366 * DAY));
    }

    private Match closes() {
        Match match = counting.match();
        Fields closes = lock.fields("closes");
        if (closes == null) {
            return match == null ? Match.ANY : match.requestOnly();
        }
        Match read = MatchReader.read(closes);
        if (read.usesStatus()) {
            closes.wrong("status", "it is unknown when a request is checked; allowed: request attributes");
        }
        return read;
    }
}
