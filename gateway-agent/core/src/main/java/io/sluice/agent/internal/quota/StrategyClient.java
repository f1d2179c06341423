package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStatus;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A strategy with its circuit breaker, corrections and counts. Never blocks. Thread-safe. */
public final class StrategyClient {
    /** The most requests that wait for an answer at once; further ones are decided by shares. */
    static final int MOST_WAITING = 10_000;

    private static final long DRAIN_MILLIS = 1_000;

    private final QuotaStrategy strategy;
    private final LongSupplier ticks;
    private final long waitNanos;
    private final CircuitBreaker breaker = new CircuitBreaker();
    private final Corrections corrections;
    private final LocalGrants grants = new LocalGrants();
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder granted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder degraded = new LongAdder();

    /**
     * Creates the client of a strategy.
     *
     * @param ticks monotonic nanoseconds
     * @param waitNanos the longest wait for an answer
     */
    StrategyClient(QuotaStrategy strategy, LongSupplier ticks, long waitNanos) {
        this.strategy = strategy;
        this.ticks = ticks;
        this.waitNanos = waitNanos;
        corrections = new Corrections(strategy, () -> breaker.closed() || breaker.returning(), Corrections.ANSWER);
    }

    /** Returns whether the store can apply an algorithm. */
    public boolean applies(Algorithm algorithm) {
        return strategy.algorithms().contains(algorithm);
    }

    /** Returns whether the store is to be asked now. */
    public boolean available() {
        return breaker.closed() && waiting.get() < MOST_WAITING;
    }

    /**
     * Asks for all charges or none. The future is completed with an answer, or exceptionally by an error of the store, or by the caller: what the store
     * grants afterwards is returned to it.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the caller has the same future
    public CompletableFuture<QuotaAnswer> ask(List<QuotaCharge> charges) {
        waiting.incrementAndGet();
        CompletableFuture<QuotaAnswer> answer = new CompletableFuture<>();
        answer.whenComplete((it, error) -> {
            waiting.decrementAndGet();
            count(it, error);
        });
        send(charges, answer);
        return answer;
    }

    private void send(List<QuotaCharge> charges, CompletableFuture<QuotaAnswer> answer) {
        try {
            strategy.acquire(charges).whenComplete((it, error) -> {
                if (it == null) {
                    answer.completeExceptionally(error == null ? new IllegalStateException("no answer") : error);
                } else if (!answer.complete(it) && it.granted()) {
                    refund(charges);
                    report();
                }
            });
        } catch (RuntimeException | Error e) {
            // also what a clash of libraries or a lack of threads throws: the request is still to be decided
            answer.completeExceptionally(e);
        }
    }

    private void count(@Nullable QuotaAnswer answer, @Nullable Throwable error) {
        if (answer != null) {
            (answer.granted() ? granted : refused).increment();
            breaker.succeeded();
            report();
        } else if (!(error instanceof CancellationException)) {
            (error instanceof TimeoutException ? timedOut : failed).increment();
            breaker.failed(ticks.getAsLong());
        }
    }

    /** Counts a request that is decided by shares and, when it is time, tries the store with its charges, without waiting. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the result
    public void degraded(List<QuotaCharge> charges) {
        degraded.increment();
        if (!breaker.probes(ticks.getAsLong())) {
            return;
        }
        CompletableFuture<QuotaAnswer> answer = new CompletableFuture<>();
        send(charges, answer);
        answer.orTimeout(waitNanos, TimeUnit.NANOSECONDS).whenComplete((it, error) -> {
            if (it == null) {
                breaker.probed(false, ticks.getAsLong());
                return;
            }
            if (it.granted()) {
                // its permits are among those granted locally
                charges.forEach(charge -> corrections.add(reversed(charge)));
            }
            // before the next request is asked: a store whose quotas are full again would grant a second burst
            corrections.sendAll(grants.drain(ticks.getAsLong())).thenAccept(this::probed);
        });
    }

    private void probed(boolean applied) {
        breaker.probed(applied, ticks.getAsLong());
        if (applied) {
            // granted by requests that were decided in between
            report();
            // the permits of the trial
            corrections.flush();
        }
    }

    /**
     * Records permits that were granted by a share, to be charged when the store answers again.
     *
     * @return for {@link #settledLocally}
     */
    public long grantedLocally(QuotaCharge charge, int agents) {
        long round = grants.add(charge, breaker.returning() ? 0 : agents, ticks.getAsLong());
        if (round == LocalGrants.NO_ROOM) {
            corrections.drop(1);
        }
        return round;
    }

    /**
     * Corrects permits that were granted by a share: in the record while the store has not been charged, and at the store afterwards.
     *
     * @param round the result of {@link #grantedLocally}
     */
    public void settledLocally(QuotaCharge difference, int agents, long round) {
        if (!grants.correct(difference, breaker.returning() ? 0 : agents, ticks.getAsLong(), round)) {
            adjust(difference);
        }
    }

    /** Charges what was granted by shares; the store answers. */
    private void report() {
        if (!grants.isEmpty() && breaker.closed()) {
            grants.drain(ticks.getAsLong()).forEach(corrections::add);
            corrections.flush();
        }
    }

    /** Returns permits that were granted. */
    public void refund(List<QuotaCharge> charges) {
        charges.forEach(charge -> corrections.add(reversed(charge)));
        corrections.flush();
    }

    /** Charges, or with negative permits returns, without waiting. */
    public void adjust(QuotaCharge charge) {
        corrections.add(charge);
        corrections.flush();
    }

    /** Sends the corrections that wait, and waits for the answers: before the strategy is closed. */
    void drain() {
        report();
        corrections.drain(DRAIN_MILLIS);
    }

    private static QuotaCharge reversed(QuotaCharge charge) {
        return charge.with(-charge.permits());
    }

    /** Returns whether the store answers again, and decides in a moment. */
    public boolean returning() {
        return breaker.returning();
    }

    /** Returns state and counts. */
    public QuotaStatus status() {
        return new QuotaStatus(
                strategy.name(),
                breaker.state(),
                granted.sum(),
                refused.sum(),
                failed.sum(),
                timedOut.sum(),
                degraded.sum(),
                corrections.dropped(),
                strategy.ahead());
    }
}
