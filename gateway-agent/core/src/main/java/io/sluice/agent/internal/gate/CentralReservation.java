package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.quota.StrategyClient;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Permit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The permits that a request took from a store, until its cost is known. Where limits only report, the answer may come later, and the store may have
 * granted nothing. Thread-safe: only the first settlement has an effect.
 */
final class CentralReservation implements Permit {
    private final StrategyClient client;
    private final List<QuotaCharge> charges;
    private final CompletableFuture<QuotaAnswer> answer;
    private final @Nullable Permit also;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * For permits that a store was asked for.
     *
     * @param answer of the store
     * @param also what the request holds besides
     */
    CentralReservation(
            StrategyClient client,
            List<QuotaCharge> charges,
            CompletableFuture<QuotaAnswer> answer,
            @Nullable Permit also) {
        this.client = client;
        this.charges = charges;
        this.answer = answer;
        this.also = also;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the result
    public void settle(long actual) {
        if (settled.compareAndSet(false, true)) {
            answer.whenComplete((given, failure) -> correct(actual, given != null && given.granted()));
            if (also != null) {
                also.settle(actual);
            }
        }
    }

    private void correct(long actual, boolean granted) {
        for (QuotaCharge charge : charges) {
            long difference = actual - (granted ? charge.permits() : 0);
            if (difference != 0) {
                client.adjust(charge.with(difference));
            }
        }
    }

    @Override
    public void close(Completion completion, long delayNanos) {
        if (also != null) {
            also.close(completion, delayNanos);
        }
    }
}
