package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Finding;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.usage.UsageKey;

/**
 * One gate lock's life: opened, renewed or rewritten while it is live, then released, or over by itself. Immutable; each
 * transition is a method that returns the next state and refuses what is not legal. Times are broker time in epoch
 * milliseconds.
 *
 * @param key the subject, under the policy revision that locked it
 * @param until when it is meant to end; when it was released
 * @param guarded whether the guard made it a shadow
 * @param written when its newest record was decided
 * @param ttlMillis the lease of that record
 * @param released whether the gate was opened before its time
 */
record Lease(
        UsageKey key,
        Terms terms,
        Threshold threshold,
        Evidence evidence,
        long since,
        long until,
        boolean guarded,
        long written,
        long ttlMillis,
        boolean released) {

    static Lease open(Finding finding, Terms terms, boolean guarded, long now, long maxLease) {
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
        long until = now + terms.forMillis();
        long ttl = ttl(until, now, maxLease);
        return new Lease(finding.key(), terms, threshold, evidence, now, until, guarded, now, ttl, false);
    }

    private static long ttl(long until, long now, long maxLease) {
        return Math.max(1, Math.min(until - now, maxLease));
    }

    LeaseKey gate() {
        return new LeaseKey(key.policy(), key.subject());
    }

    /** Whether it closes the gate at this time. */
    boolean live(long now) {
        return !released && now < until;
    }

    boolean expired(long now) {
        return !released && now >= until;
    }

    /** Whether it rejects requests rather than only reporting. */
    boolean enforced() {
        return !terms.shadow() && !guarded;
    }

    /** Whether so little of it is left that it is time to ask for more. */
    boolean renewable(long now, long maxLease) {
        return live(now) && until - now <= Math.min(terms.forMillis(), maxLease) / 3;
    }

    /** Whether its record's lease ends before the lock does, and a third of that is over. */
    boolean rewriteDue(long now) {
        return live(now) && until > written + ttlMillis && now >= written + ttlMillis / 3;
    }

    /** Whether its release is older than any lease that it could have to undo. */
    boolean forgettable(long now, long maxLease) {
        return released && now >= until + maxLease;
    }

    /** Meant to last on from now. */
    Lease renew(long now, long maxLease) {
        requireLive("renewed", now);
        return written(terms, guarded, now + terms.forMillis(), now, maxLease);
    }

    /** The same, written again. */
    Lease rewrite(long now, long maxLease) {
        requireLive("rewritten", now);
        return written(terms, guarded, until, now, maxLease);
    }

    /** On other terms; it ends when it was going to end. */
    Lease on(Terms changed, boolean nowGuarded, long now, long maxLease) {
        requireLive("changed", now);
        return written(changed, nowGuarded, until, now, maxLease);
    }

    /** On terms that its record does not tell of, so that there is no new record and its lease is as old as it was. */
    Lease noting(Terms changed) {
        return new Lease(key, changed, threshold, evidence, since, until, guarded, written, ttlMillis, released);
    }

    /** Opens the gate before its time. */
    Lease release(long now, long maxLease) {
        requireLive("released", now);
        return new Lease(key, terms, threshold, evidence, since, now, guarded, now, maxLease, true);
    }

    private Lease written(Terms as, boolean asGuarded, long to, long now, long maxLease) {
        return new Lease(key, as, threshold, evidence, since, to, asGuarded, now, ttl(to, now, maxLease), false);
    }

    private void requireLive(String what, long now) {
        if (!live(now)) {
            throw new IllegalStateException("a lock that is " + (released ? "released" : "over") + " can't be " + what);
        }
    }

    /** Its record. */
    GateLock record(Version version) {
        return new GateLock(
                key.policy(),
                key.subject(),
                released ? Mode.OPEN : terms.mode(),
                released ? 0 : terms.rate(),
                0,
                ttlMillis,
                since,
                until,
                1,
                terms.shadow() || guarded,
                guarded,
                released ? null : evidence,
                version);
    }
}
