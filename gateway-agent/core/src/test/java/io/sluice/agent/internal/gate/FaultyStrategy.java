package io.sluice.agent.internal.gate;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A strategy whose quotas never return, with faults that real stores show at random only: no answer, a late one, an error. Thread-safe. */
public final class FaultyStrategy implements QuotaStrategy {
    /** What happens to requests. */
    public enum Fault {
        NONE,
        ERROR,
        SILENT,
        /** Throws what a clash of libraries does. */
        UNLINKED
    }

    final Map<String, Long> used = new HashMap<>();
    final List<Runnable> late = new ArrayList<>();
    final List<List<QuotaCharge>> acquired = new ArrayList<>();
    public volatile Fault fault = Fault.NONE;

    static String key(QuotaCharge charge) {
        return charge.limit().policy() + charge.limit().slot() + charge.subject();
    }

    synchronized long used(String key) {
        return used.getOrDefault(key, 0L);
    }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public Set<Algorithm> algorithms() {
        return Set.of(Algorithm.TOKEN_BUCKET);
    }

    @Override
    public synchronized CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
        acquired.add(charges);
        CompletableFuture<QuotaAnswer> answer = new CompletableFuture<>();
        switch (fault) {
            case NONE -> answer.complete(take(charges));
            case ERROR -> answer.completeExceptionally(new IllegalStateException("down"));
            case UNLINKED -> throw new NoSuchMethodError("a client of another age");
            case SILENT -> late.add(() -> answer.complete(take(charges)));
        }
        return answer;
    }

    /** Answers all requests that have not been answered. */
    public void answerLate() {
        List<Runnable> answers;
        synchronized (this) {
            answers = List.copyOf(late);
            late.clear();
        }
        answers.forEach(Runnable::run);
    }

    private synchronized QuotaAnswer take(List<QuotaCharge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            long left = charges.get(i).limit().burst() - used(key(charges.get(i)));
            if (left < charges.get(i).permits()) {
                return QuotaAnswer.refused(i, Math.max(0, left), 7_000_000_000L);
            }
        }
        charges.forEach(charge -> used.merge(key(charge), charge.permits(), Long::sum));
        QuotaCharge first = charges.get(0);
        return QuotaAnswer.granted(0, first.limit().burst() - used(key(first)));
    }

    @Override
    public synchronized CompletionStage<Void> adjust(List<QuotaCharge> corrections) {
        if (fault == Fault.ERROR) {
            return CompletableFuture.failedFuture(new IllegalStateException("down"));
        }
        corrections.forEach(charge -> used.merge(key(charge), charge.permits(), Long::sum));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
}
