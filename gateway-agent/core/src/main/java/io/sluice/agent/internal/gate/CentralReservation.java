package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.quota.StrategyClient;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Permit;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The permits that a request took from a store, until its cost is known. Thread-safe: only the first settlement has an effect. */
final class CentralReservation implements Permit {
    private final StrategyClient client;
    private final List<QuotaCharge> charges;
    private final @Nullable Permit also;
    private final AtomicBoolean settled = new AtomicBoolean();

    /** @param also what the request holds besides */
    CentralReservation(StrategyClient client, List<QuotaCharge> charges, @Nullable Permit also) {
        this.client = client;
        this.charges = charges;
        this.also = also;
    }

    @Override
    public void settle(long actual) {
        if (settled.compareAndSet(false, true)) {
            for (QuotaCharge charge : charges) {
                if (actual != charge.permits()) {
                    client.adjust(new QuotaCharge(
                            charge.limit(), charge.subject(), charge.route(), actual - charge.permits()));
                }
            }
            if (also != null) {
                also.settle(actual);
            }
        }
    }

    @Override
    public void close(Completion completion) {
        if (also != null) {
            also.close(completion);
        }
    }
}
