package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.quota.StrategyClient;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Permit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The permits that a request took from the share of a store that is away, as the store will be charged them. The share itself is corrected by
 * {@link Reservation}. Thread-safe: only the first settlement has an effect.
 */
final class ShareReservation implements Permit {
    private final StrategyClient client;
    private final QuotaCharge charge;
    private final int agents;
    private final long round;
    private final @Nullable Permit also;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * Records permits.
     *
     * @param charge what was reserved; of 0 permits where a limit that only reports had too few
     * @param agents the number of shares
     * @param also what the request holds besides
     */
    ShareReservation(StrategyClient client, QuotaCharge charge, int agents, @Nullable Permit also) {
        this.client = client;
        this.charge = charge;
        this.agents = agents;
        this.also = also;
        round = client.grantedLocally(charge, agents);
    }

    @Override
    public void settle(long actual) {
        if (settled.compareAndSet(false, true)) {
            if (actual != charge.permits()) {
                client.settledLocally(charge.with(actual - charge.permits()), agents, round);
            }
            if (also != null) {
                also.settle(actual);
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
