package io.sluice.spring;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the strategy {@code counted}, which grants everything, and counts those that were made and closed. */
public final class CountedStrategyProvider implements QuotaStrategyProvider {
    static final AtomicInteger MADE = new AtomicInteger();
    static final AtomicInteger CLOSED = new AtomicInteger();

    @Override
    public String name() {
        return "counted";
    }

    @Override
    public QuotaStrategy create(Map<String, String> settings) {
        MADE.incrementAndGet();
        return new Counted();
    }

    private static final class Counted implements QuotaStrategy {
        @Override
        public String name() {
            return "counted";
        }

        @Override
        public Set<Algorithm> algorithms() {
            return Set.of(Algorithm.TOKEN_BUCKET);
        }

        @Override
        public CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
            return CompletableFuture.completedFuture(QuotaAnswer.granted(0, 1));
        }

        @Override
        public CompletionStage<Void> adjust(List<QuotaCharge> corrections) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }
}
