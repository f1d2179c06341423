package io.sluice.analyzer.api;

import io.sluice.analyzer.run.TaskQueries;
import io.sluice.analyzer.window.Panes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** In the order in which they are asked for; which are missing the peers know. */
    List<CallerWindow> of(Collection<WindowKey> whom) {
        Map<WindowKey, Panes> read = new HashMap<>();
        for (WindowKey one : whom) {
            Optional<Panes> here = tasks.window(one.policy(), one.subject(), time);
            if (here.isPresent()) {
                read.put(one, here.get());
            } else {
                askOwner(one, read);
            }
        }
        peers.await();
        List<CallerWindow> windows = new ArrayList<>();
        for (WindowKey one : whom) {
            Panes panes = read.get(one);
            if (panes != null) {
                windows.add(new CallerWindow(one.policy(), one.subject(), panes));
            }
        }
        return windows;
    }

    private void askOwner(WindowKey one, Map<WindowKey, Panes> read) {
        Optional<String> owner = tasks.owner(one.policy(), one.subject());
        if (owner.isEmpty() || owner.get().equals(tasks.address())) {
            peers.miss(
                    "window of " + String.join(" ", one.key()),
                    owner.isEmpty()
                            ? "no instance reports it: its task is moving, or its instance has no http.port"
                            : "its task is not ready");
        } else {
            peers.ask(owner.get(), one.localPath(), answer -> read.put(one, PanesJson.read(answer)));
        }
    }
}
