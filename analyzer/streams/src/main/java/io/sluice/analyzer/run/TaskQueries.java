package io.sluice.analyzer.run;

import io.sluice.analyzer.top.ClaimedShare;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the decide tasks of this process know of callers, and where the other tasks are. Thread-safe; nothing waits for a task. */
public interface TaskQueries {
    /** How many decide tasks there are in all: one for each partition of the usage topic. */
    int partitions();

    /** The partitions of the tasks that answer here. */
    Set<Integer> here();

    /** Returns the busiest subjects of the tasks here, up to a second ago. */
    Top top();

    /** How many of the newest requests that the tasks here read have a claimed caller. */
    ClaimedShare claimed();

    /** Where this instance can be asked, {@code host:port}; empty for nowhere. */
    String address();

    /** Where the other instances can be asked, each {@code host:port}. */
    Set<String> others();

    /** Where the instance can be asked that works on this subject; nothing while tasks move. */
    Optional<String> owner(Policy policy, List<String> subject);

    /**
     * A subject's window, as of the last commit; nothing when its task is not here, or not ready.
     *
     * @param time the window ends with the pane of this time, epoch milliseconds
     */
    Optional<Panes> window(Policy policy, List<String> subject, long time);

    /**
     * The same, with the subject's earlier window, and how it stands against each condition of its lock rule. Meters report what they hold back of the
     * subject from now on, for a window: asked again a moment later, all of it is known.
     *
     * @param time the window ends with the pane of this time, epoch milliseconds
     */
    Optional<StoredSubject> subject(Policy policy, List<String> subject, long time);
}
