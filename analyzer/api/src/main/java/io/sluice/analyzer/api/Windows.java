package io.sluice.analyzer.api;

import io.sluice.analyzer.run.StoredSubject;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.analyzer.top.Top;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Reads windows where they are: here, or at the instance that works on the subject. */
final class Windows {
    private final TaskQueries tasks;
    private final Peers peers;
    private final long time;

    /** @param time the windows end with its pane, epoch milliseconds */
    Windows(TaskQueries tasks, Peers peers, long time) {
        this.tasks = tasks;
        this.peers = peers;
        this.time = time;
    }

    /**
     * Returns the windows in the order of their keys; the peers list those that are missing.
     *
     * @param top the busiest callers of all instances, for shares; {@code null} where an instance is missing
     */
    List<CallerWindow> of(Collection<WindowKey> whom, @Nullable Top top) {
        Map<WindowKey, StoredSubject> read = new HashMap<>();
        for (WindowKey one : whom) {
            Optional<StoredSubject> here = tasks.subject(one.policy(), one.subject(), time);
            if (here.isPresent()) {
                read.put(one, here.get());
            } else {
                askOwner(one, read);
            }
        }
        peers.await();
        List<CallerWindow> windows = new ArrayList<>();
        for (WindowKey one : whom) {
            StoredSubject stored = read.get(one);
            if (stored != null) {
                windows.add(new CallerWindow(one.policy(), one.subject(), stored, share(one, top)));
            }
        }
        return windows;
    }

    private static OptionalDouble share(WindowKey one, @Nullable Top top) {
        double total = top == null ? 0 : top.totals().getOrDefault(one.policy().revision(), 0.0);
        return top == null || total <= 0
                ? OptionalDouble.empty()
                : top.subjects().stream()
                        .filter(use -> use.revision().equals(one.policy().revision())
                                && use.subject().equals(one.subject()))
                        .mapToDouble(use -> Math.min(1, use.offered() / total))
                        .findFirst();
    }

    private void askOwner(WindowKey one, Map<WindowKey, StoredSubject> read) {
        Optional<String> owner = tasks.owner(one.policy(), one.subject());
        if (owner.isEmpty() || owner.get().equals(tasks.address())) {
            peers.miss(
                    "window of " + String.join(" ", one.key()),
                    owner.isEmpty()
                            ? "no instance reports it: its task is moving, or its instance has no http.port"
                            : "its task is not ready");
        } else {
            peers.ask(owner.get(), one.localPath(), answer -> read.put(one, StoredSubjectJson.stored(answer)));
        }
    }
}
