package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Finding;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One gate lock's life: opened; renewed, rewritten or moved while it is live; then released, or over by itself. Immutable;
 * each transition is a method that returns the next state and refuses what is not legal. Times are broker time in epoch
 * milliseconds.
 *
 * @param key the subject, under the policy revision that locked it
 * @param per the attributes that the subject names; {@code null} in a lease of an earlier version
 * @param until when it is meant to end; when it was released
 * @param level 1 for a first lock, higher for a repeat
 * @param ratio the part of the requests to reject, for {@link Mode#SHED}, else 0
 * @param guarded whether the guard made it a shadow
 * @param written when its newest record was decided
 * @param ttlMillis the lease of that record
 * @param released whether the gate was opened before its time
 */
record Lease(
        UsageKey key,
        @Nullable List<String> per,
        Terms terms,
        Threshold threshold,
        Evidence evidence,
        long since,
        long until,
        int level,
        double ratio,
        boolean guarded,
        long written,
        long ttlMillis,
        boolean released) {

    /** @throws IllegalArgumentException for a debt that is paid already */
    static Lease open(Finding finding, Terms terms, int level, boolean guarded, long now, long maxLease) {
        Threshold threshold = finding.threshold();
        Evidence evidence = new Evidence(
                threshold.detector(),
                finding.observed(),
                threshold.value(),
                finding.policy().measure().name(),
                finding.policy().window().millis(),
                finding.sum(),
                finding.load(),
                finding.crossed(),
                now,
                finding.policy().revision());
        long until = terms.length().debt()
                ? Repayment.until(finding, terms, now)
                : now + terms.length().ofLevel(level);
        if (until <= now) {
            throw new IllegalArgumentException("a lock that opens at " + now + " can't be over at " + until);
        }
        double ratio = Shedding.ratio(finding, terms);
        long ttl = ttl(until, now, maxLease);
        return new Lease(
                finding.key(),
                finding.policy().perNames(),
                terms,
                threshold,
                evidence,
                now,
                until,
                level,
                ratio,
                guarded,
                now,
                ttl,
                false);
    }

    private static long ttl(long until, long now, long maxLease) {
        return Math.max(1, Math.min(until - now, maxLease));
    }

    LeaseKey gate() {
        return new LeaseKey(key.policy(), key.subject());
    }

    /** Returns whether it closes the gate at this time. */
    boolean live(long now) {
        return !released && now < until;
    }

    boolean expired(long now) {
        return !released && now >= until;
    }

    /** Returns whether it rejects requests rather than only reporting. */
    boolean enforced() {
        return !terms.shadow() && !guarded;
    }

    /** Returns whether it lasts until a debt is paid, by its threshold and by its policy's present terms. */
    boolean debt() {
        return terms.length().debt() && threshold.detector().equals(Threshold.DEBT);
    }

    boolean sheds() {
        return terms.mode() == Mode.SHED;
    }

    /**
     * Returns whether its last third has begun. So much time there is to learn of the demand, for example while the task moves, before the lock
     * ends although the caller goes on. A debt asks for no more than is owed.
     */
    boolean renewable(long now) {
        return live(now)
                && !terms.length().debt()
                && until - now <= terms.length().ofLevel(level) / 3;
    }

    /** Returns whether its record's lease ends before the lock does, and a third of that is over. */
    boolean rewriteDue(long now) {
        return live(now) && until > written + ttlMillis && now >= written + ttlMillis / 3;
    }

    /** Returns whether its release is older than any lease that it could have to undo. */
    boolean forgettable(long now, long maxLease) {
        return released && now >= until + maxLease;
    }

    /** Meant to last on from now, as long as at first. */
    Lease renew(long now, long maxLease) {
        require(live(now) && !terms.length().debt(), "renewed");
        return next(terms, now + terms.length().ofLevel(level), ratio, guarded, now, maxLease);
    }

    /** The same, written again. */
    Lease rewrite(long now, long maxLease) {
        require(live(now), "rewritten");
        return next(terms, until, ratio, guarded, now, maxLease);
    }

    /** To end when the debt will be paid, which is another time than was thought. */
    Lease move(long paid, long now, long maxLease) {
        require(
                live(now)
                        && debt()
                        && paid > now
                        && paid <= since + terms.length().upToMillis(),
                "moved to " + paid);
        return next(terms, paid, ratio, guarded, now, maxLease);
    }

    /** Returns it with another shed ratio, which the next record contains. */
    Lease shedding(double part) {
        require(!released && sheds() && part >= 0 && part <= 1, "made to shed " + part);
        return new Lease(
                key, per, terms, threshold, evidence, since, until, level, part, guarded, written, ttlMillis, false);
    }

    /** For real: the guard has room for it. */
    Lease arm(long now, long maxLease) {
        require(live(now) && guarded, "armed");
        return next(terms, until, ratio, false, now, maxLease);
    }

    /** As a report: the guard has no room for it. */
    Lease guard(long now, long maxLease) {
        require(live(now) && enforced(), "guarded");
        return next(terms, until, ratio, true, now, maxLease);
    }

    /** On other terms; it ends when it was going to end. */
    Lease on(Terms changed, boolean nowGuarded, long now, long maxLease) {
        require(live(now), "changed");
        double first = Shedding.ratio(threshold, evidence.observed(), evidence.sum());
        double part = changed.mode() != Mode.SHED ? 0 : sheds() ? ratio : first;
        return next(changed, until, part, nowGuarded, now, maxLease);
    }

    /** Returns it on terms that its record does not contain: there is no new record, and its lease keeps its age. */
    Lease noting(Terms changed) {
        require(!released && terms.readsLike(changed), "changed without a record");
        return new Lease(
                key, per, changed, threshold, evidence, since, until, level, ratio, guarded, written, ttlMillis, false);
    }

    /** Releases a lock before it ends by itself. */
    Lease release(long now, long maxLease) {
        require(live(now), "released");
        return new Lease(key, per, terms, threshold, evidence, since, now, level, 0, guarded, now, maxLease, true);
    }

    private Lease next(Terms as, long to, double part, boolean asGuarded, long now, long maxLease) {
        long ttl = ttl(to, now, maxLease);
        return new Lease(key, per, as, threshold, evidence, since, to, level, part, asGuarded, now, ttl, false);
    }

    private void require(boolean legal, String what) {
        if (!legal) {
            String state = released ? "is released" : "lasts until " + until + (debt() ? " for a debt" : "");
            throw new IllegalStateException("a lock that " + state + " can't be " + what);
        }
    }

    /** The lock with the evidence for it, whether it was released or not. */
    GateLock described(Version version) {
        return new GateLock(
                key.policy(),
                key.subject(),
                per,
                terms.mode(),
                terms.rate(),
                ratio,
                ttlMillis,
                since,
                until,
                level,
                terms.shadow() || guarded,
                guarded,
                evidence,
                version);
    }

    /** Its record. */
    GateLock record(Version version) {
        return new GateLock(
                key.policy(),
                key.subject(),
                per,
                released ? Mode.OPEN : terms.mode(),
                released ? 0 : terms.rate(),
                ratio,
                ttlMillis,
                since,
                until,
                level,
                terms.shadow() || guarded,
                guarded,
                released ? null : evidence,
                version);
    }
}
