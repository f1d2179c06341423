package io.sluice.analyzer.detect;

import io.sluice.analyzer.load.Group;
import io.sluice.analyzer.load.LoadSums;
import io.sluice.analyzer.window.Shape;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Over when the subject's part of its group's load is greater than a share. Subject and load reach us by different ways,
 * so the window ends where the load is complete: with the pane the load is as of when the subject's own events are not
 * ahead of it, else with the pane before. A share is never taken of a load that has yet to grow.
 */
final class Share implements Detector {
    private static final long STALE_MILLIS = 2_000;

    private final Condition.Share condition;
    private final Group group;
    private final @Nullable OthersSlow othersSlow;

    Share(Condition.Share condition, Policy policy) {
        this.condition = condition;
        this.group = Group.of(policy, condition.of());
        othersSlow = condition.timed() ? new OthersSlow(condition.whenOthersSlow(), policy) : null;
    }

    @Override
    public List<Share> shares() {
        return List.of(this);
    }

    UsageKey group(UsageKey subject) {
        return group.of(subject.subject());
    }

    private @Nullable Load load(Subject subject) {
        return subject.loads().load(group(subject.key()));
    }

    /**
     * Returns whether the subject may be over once the load has caught up with it. A load is taken to lose no more than half of
     * itself meanwhile; that leaves at most 2 ÷ share subjects of a group to be asked again.
     */
    boolean candidate(Subject subject) {
        Shape shape = subject.shape();
        long sum =
                subject.window().admitted(shape.window().paneOf(subject.window().newestTime()));
        double least = Math.max(condition.beyond() * subject.scale(), 1);
        Load load = load(subject);
        if (load != null) {
            long last = shape.window().paneOf(load.asOf());
            least = Math.max(least, LoadSums.admitted(load, shape.firstPane(last), last) / 2.0);
        }
        return sum > condition.share() * least;
    }

    /** Returns whether the load is complete enough for an answer. */
    boolean answers(Subject subject, long now) {
        Load load = load(subject);
        if (load == null || now == BrokerClock.UNKNOWN || now - load.asOf() > STALE_MILLIS) {
            return false;
        }
        Shape shape = subject.shape();
        return shape.window().paneOf(load.since())
                <= shape.firstPane(shape.window().paneOf(load.asOf()));
    }

    /** Returns whether nothing of the subject's is ahead of the load. */
    boolean caughtUp(Subject subject) {
        Load load = load(subject);
        return load != null && subject.window().newestTime() <= load.asOf();
    }

    /** The last pane for which the load is as complete as what is known of the subject; ask only when it answers. */
    long lastPane(Subject subject) {
        Load load = load(subject);
        if (load == null) {
            return Long.MIN_VALUE;
        }
        long pane = subject.shape().window().paneOf(load.asOf());
        return caughtUp(subject) ? pane : pane - 1;
    }

    @Override
    public @Nullable Over ask(Subject subject, long pane) {
        Load load = load(subject);
        if (load == null) {
            return null;
        }
        long sum = subject.window().admitted(pane);
        long total = LoadSums.admitted(load, subject.shape().firstPane(pane), pane);
        boolean over = total > condition.beyond() * subject.scale()
                && total - sum >= condition.others() * subject.scale()
                && sum > condition.share() * total;
        if (!over || (othersSlow != null && !othersSlow.is(subject, load, pane))) {
            return null;
        }
        Threshold fired = new Threshold(
                Threshold.SHARE,
                condition.share(),
                condition.beyond(),
                group(subject.key()),
                subject.meanCost(pane),
                List.of());
        return new Over(fired, (double) sum / total, total);
    }
}
