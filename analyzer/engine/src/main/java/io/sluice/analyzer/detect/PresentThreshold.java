package io.sluice.analyzer.detect;

import io.sluice.analyzer.load.Group;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The threshold of a lock by the numbers of the policy's present rule, which may have changed while the lock lasts. A debt stays the one that was made.
 *
 * @param fired as the lock keeps it
 * @param rule of the subject
 */
record PresentThreshold(Threshold fired, Policy policy, LockRule rule, UsageKey key) {

    /**
     * Returns the present threshold: the former one where its condition is still there, else that of the lowest condition of the same kinds.
     *
     * @return {@code null} where the rule has no such condition any more
     */
    static @Nullable Threshold of(Threshold fired, Policy policy, LockRule rule, UsageKey key) {
        PresentThreshold present = new PresentThreshold(fired, policy, rule, key);
        Threshold lowest = null;
        for (Condition condition : rule.when()) {
            lowest = lower(lowest, present.whole(condition), fired);
        }
        return lowest;
    }

    private static @Nullable Threshold lower(@Nullable Threshold one, @Nullable Threshold other, Threshold fired) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return !one.equals(fired) && (other.equals(fired) || other.value() < one.value()) ? other : one;
    }

    /** A condition with all that has to be passed with it. */
    private @Nullable Threshold whole(Condition condition) {
        List<Condition> parts = condition instanceof Condition.All all ? all.conditions() : List.of(condition);
        if (parts.size() != 1 + fired.also().size()) {
            return null;
        }
        Threshold own = one(fired, parts);
        List<Threshold> others = new ArrayList<>();
        for (Threshold also : fired.also()) {
            Threshold other = one(also, parts);
            if (other == null) {
                return null;
            }
            others.add(other);
        }
        return own == null ? null : own.and(others);
    }

    private @Nullable Threshold one(Threshold former, List<Condition> parts) {
        Threshold lowest = null;
        for (Condition part : parts) {
            lowest = lower(lowest, numbers(former, part), former);
        }
        return lowest;
    }

    /** What a condition says instead; {@code null} if it is of another kind. */
    private @Nullable Threshold numbers(Threshold former, Condition condition) {
        String kind = former.detector();
        if (kind.equals(Threshold.DEBT) && rule.debt()) {
            return former;
        }
        if (condition instanceof Condition.Above above
                && (kind.equals(Threshold.ABOVE) || kind.equals(Threshold.DEBT))) {
            return numbers(former, above.threshold(), above.threshold());
        }
        if (condition instanceof Condition.Spike spike && kind.equals(Threshold.SPIKE)) {
            // what was usual is what the former sum was made of, unless that was the floor
            double times = spike.factor() == former.value() ? 1 : spike.factor() / former.value();
            return numbers(former, spike.factor(), Math.max(former.sum() * times, spike.floor()));
        }
        if (condition instanceof Condition.Share share
                && kind.equals(Threshold.SHARE)
                && Objects.equals(former.group(), Group.of(policy, share.of()).of(key.subject()))) {
            return numbers(former, share.share(), share.beyond());
        }
        return null;
    }

    private static Threshold numbers(Threshold former, double value, double sum) {
        return former.value() == value && former.sum() == sum
                ? former
                : new Threshold(former.detector(), value, sum, former.group(), former.meanCost(), List.of());
    }
}
