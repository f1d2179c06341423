package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.contract.policy.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Over when the subject's part of its group's load is greater than a share; if asked for, only while the others are served
 * more slowly than usual.
 */
final class ExactShare implements ExactDetector {
    private final Condition.Share condition;
    private final ExactGroup group;
    private final long scale;
    private final @Nullable ExactServiceTimes own;

    /** @param own the subject's service times, {@code null} when the policy does not ask whether the others are slow */
    ExactShare(Condition.Share condition, ExactGroup group, long scale, @Nullable ExactServiceTimes own) {
        this.condition = condition;
        this.group = group;
        this.scale = scale;
        this.own = own;
    }

    @Override
    public void add(Counted event) {
        if (own != null) {
            own.add(event);
        }
    }

    @Override
    public Reading ask(SlidingLog window, long time) {
        long sum = window.amount();
        long load = group.window(time).amount();
        boolean over = group.known(time)
                && load > condition.beyond() * scale
                && load - sum >= condition.others() * scale
                && sum > condition.share() * load
                && othersAreSlow(window, time);
        double observed = load == 0 ? 0 : (double) sum / load;
        return new Reading("share", observed, condition.share(), (double) sum / scale, (double) load / scale, over);
    }

    private boolean othersAreSlow(SlidingLog window, long time) {
        if (own == null) {
            return true;
        }
        SlidingLog all = group.window(time);
        long requests = all.requests() - window.requests();
        double usual = group.times().meanWithout(own, time);
        // without others, or without a baseline of theirs, nothing can be called slow
        return requests > 0
                && (all.micros() - window.micros()) / (double) requests > condition.whenOthersSlow() * usual;
    }
}
