package io.sluice.analyzer.detect;

import io.sluice.analyzer.load.Group;
import io.sluice.analyzer.load.LoadSums;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.Shape;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Over when the subject's part of its group's load is greater than a share. Subject and load reach us by different ways,
 * so the window ends where the load is complete: with the pane the load is as of when the subject's own events are not
 * ahead of it, else with the pane before. A share is never taken of a load that has yet to grow.
 */
final class Share {
    private static final long STALE_MILLIS = 2_000;

    private final Condition.Share condition;
    private final Group group;

    Share(Condition.Share condition, Group group) {
        this.condition = condition;
        this.group = group;
    }

    UsageKey group(UsageKey subject) {
        return group.of(subject.subject());
    }

    /**
     * Whether the subject may be over once the load has caught up with it. A load is taken to lose no more than half of
     * itself meanwhile; that leaves at most 2 ÷ share subjects of a group to be asked again.
     */
    boolean candidate(DetectedPolicy policy, HotWindow window, @Nullable Load load) {
        Shape shape = policy.shape;
        long sum = window.admitted(shape.window().paneOf(window.newestTime()));
        double least = Math.max(condition.beyond() * policy.scale, 1);
        if (load != null) {
            long last = shape.window().paneOf(load.asOf());
            least = Math.max(least, LoadSums.admitted(load, shape.firstPane(last), last) / 2.0);
        }
        return sum > condition.share() * least;
    }

    /** Whether the load says enough to be asked now. */
    boolean answers(DetectedPolicy policy, @Nullable Load load, long now) {
        if (load == null || now == Long.MIN_VALUE || now - load.asOf() > STALE_MILLIS) {
            return false;
        }
        Shape shape = policy.shape;
        return shape.window().paneOf(load.since())
                <= shape.firstPane(shape.window().paneOf(load.asOf()));
    }

    /** The last pane for which the load is as complete as what is known of the subject. */
    static long lastPane(Shape shape, HotWindow window, Load load) {
        long pane = shape.window().paneOf(load.asOf());
        return window.newestTime() <= load.asOf() ? pane : pane - 1;
    }

    /** The finding, or {@code null} when the subject is not over. */
    @Nullable
    Finding ask(DetectedPolicy policy, DetectedPolicy.DetectedRule rule, HotWindow window, UsageKey of, Load load) {
        long last = lastPane(policy.shape, window, load);
        long sum = window.admitted(last);
        long total = LoadSums.admitted(load, policy.shape.firstPane(last), last);
        boolean over = total > condition.beyond() * policy.scale
                && total - sum >= condition.others() * policy.scale
                && sum > condition.share() * total;
        if (!over) {
            return null;
        }
        Threshold fired = new Threshold(
                Threshold.SHARE, condition.share(), condition.beyond(), of, policy.meanCost(window, last), List.of());
        return policy.finding(window, rule, fired, (double) sum / total, total, last);
    }
}
