package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.LeaseExpiry;
import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import org.jspecify.annotations.Nullable;

/**
 * A decision in the form that checks read, together with the requests that it closes. Contains only this lock's own data, in 72 bytes; the rest
 * is in its kind. Immutable.
 */
final class LockEntry implements SubjectEntry {
    // a lock without end advises to retry after a day
    private static final long LONGEST_ADVICE_MILLIS = 86_400_000;

    private final long head;
    private final long tail;
    private final @Nullable Object name;
    private final LockKind kind;
    private final long until;
    private final long leaseEnd;
    private final long leaseDeadline;
    private final long sequence;
    // here because it differs per lock; a float fits without padding
    private final float ratio;

    LockEntry(SubjectKey key, LockKind kind, LockDecision standing) {
        this.head = key.head();
        this.tail = key.tail();
        this.name = key.name();
        this.kind = kind;
        this.until = standing.until();
        this.leaseEnd = standing.lease().end();
        this.leaseDeadline = standing.lease().deadline();
        this.ratio = (float) standing.ratio();
        this.sequence = standing.version() == null ? 0 : standing.version().seq();
    }

    /** Returns the decision. */
    LockDecision standing() {
        LockKind.LockAttributes said = kind.attributes();
        Version version = said.task().isEmpty() ? null : new Version(said.task(), said.epoch(), sequence);
        return new LockDecision(said.mode(), said.rate(), ratio, said.per(), said.reports(), until, lease(), version);
    }

    private LeaseExpiry lease() {
        return new LeaseExpiry(kind.attributes().clock(), leaseEnd, leaseDeadline);
    }

    @Override
    public long head() {
        return head;
    }

    @Override
    public long tail() {
        return tail;
    }

    @Override
    public @Nullable Object name() {
        return name;
    }

    @Override
    public LockEntry analyzer() {
        return this;
    }

    @Override
    public @Nullable LockEntry operator() {
        return null;
    }

    @Override
    public @Nullable LockEntry lock(long now, boolean operatorOnly) {
        return operatorOnly || expired(now) ? null : this;
    }

    boolean expired(long now) {
        return lease().expired(now);
    }

    boolean closes(RequestAttributes request) {
        return kind.attributes().closes().matches(request);
    }

    Mode mode() {
        return kind.attributes().mode();
    }

    boolean throttles() {
        return mode() == Mode.THROTTLE;
    }

    boolean shadow() {
        return kind.attributes().shadow();
    }

    double ratio() {
        return ratio;
    }

    /** Orders locks for the message of a rejection: the stricter mode, then the later end. */
    boolean stricterThan(LockEntry other) {
        int modes = mode().compareTo(other.mode());
        return modes < 0 || (modes == 0 && until > other.until);
    }

    /** Returns this agent's share of the rate. */
    TokenRate rate(int liveAgents) {
        return kind.rate(liveAgents);
    }

    /** Returns the rejection of a request at this time. */
    Verdict.Rejected reject(long now) {
        long broker = kind.attributes().clock().now(now);
        long intended = broker == BrokerClock.UNKNOWN ? 0 : until - broker;
        // the lease is usually renewed until the intended end, which is the better advice
        long left = intended > 0 ? intended : lease().left(now);
        return kind.rejections().after(Math.max(1, (Math.min(left, LONGEST_ADVICE_MILLIS) + 999) / 1000));
    }

    /** Returns the rejection of a request for which the throttle has no permit. */
    Verdict.Rejected reject(TokenRate rate, long waitNanos) {
        return Limit.throttled(kind.attributes().policy(), rate, waitNanos);
    }
}
