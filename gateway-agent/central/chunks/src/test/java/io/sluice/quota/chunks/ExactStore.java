package io.sluice.quota.chunks;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An exact store in this process, of limits from which nothing returns. Counts its calls. */
final class ExactStore implements QuotaStrategy {
    private static final long WAIT = 3_600_000_000_000L;

    private final Map<String, Long> used = new HashMap<>();
    private long calls;
    private long corrections;
    private boolean dead;
    private @Nullable Error error;
    private @Nullable Error errorOfCorrection;

    @Override
    public String name() {
        return "exact";
    }

    @Override
    public Set<Algorithm> algorithms() {
        return Set.of(Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW);
    }

    @Override
    public synchronized CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
        calls++;
        Error thrown = error;
        if (thrown != null) {
            error = null;
            throw thrown;
        }
        if (dead) {
            return CompletableFuture.failedFuture(new IllegalStateException("the store is dead"));
        }
        for (int i = 0; i < charges.size(); i++) {
            QuotaCharge charge = charges.get(i);
            if (left(charge) < charge.permits()) {
                boolean never = charge.permits() > charge.limit().burst();
                return CompletableFuture.completedFuture(
                        QuotaAnswer.refused(i, Math.max(0, left(charge)), never ? QuotaAnswer.NEVER : WAIT));
            }
        }
        int least = 0;
        for (int i = 0; i < charges.size(); i++) {
            used.merge(key(charges.get(i)), charges.get(i).permits(), Long::sum);
            least = left(charges.get(i)) < left(charges.get(least)) ? i : least;
        }
        return CompletableFuture.completedFuture(QuotaAnswer.granted(least, left(charges.get(least))));
    }

    @Override
    public synchronized CompletionStage<Void> adjust(List<QuotaCharge> corrections) {
        calls++;
        this.corrections++;
        Error thrown = errorOfCorrection;
        if (thrown != null) {
            errorOfCorrection = null;
            throw thrown;
        }
        for (QuotaCharge correction : corrections) {
            used.merge(key(correction), correction.permits(), Long::sum);
            used.computeIfPresent(key(correction), (key, sum) -> Math.max(0, sum));
        }
        return CompletableFuture.completedFuture(null);
    }

    synchronized long left(QuotaCharge charge) {
        return charge.limit().burst() - used.getOrDefault(key(charge), 0L);
    }

    synchronized long calls() {
        return calls;
    }

    /** How often permits were given back. */
    synchronized long corrections() {
        return corrections;
    }

    /** Makes the next call throw an error. */
    synchronized void throwOnce(Error thrown) {
        error = thrown;
    }

    /** Makes the next correction throw an error. */
    synchronized void throwOnceWhenCorrected(Error thrown) {
        errorOfCorrection = thrown;
    }

    synchronized void die() {
        dead = true;
    }

    @Override
    public void close() {
        die();
    }

    private static String key(QuotaCharge charge) {
        return charge.limit().policy() + charge.subject();
    }
}
