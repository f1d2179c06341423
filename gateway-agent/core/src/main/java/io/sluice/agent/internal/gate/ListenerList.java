package io.sluice.agent.internal.gate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The listeners of an agent. A failing listener is counted and does not affect decisions. Thread-safe. */
final class ListenerList {
    private final List<DecisionListener> all = new CopyOnWriteArrayList<>();
    private final LongAdder failures = new LongAdder();

    void add(DecisionListener listener, Consumer<DecisionListener> first) {
        all.add(listener);
        publish(listener, first);
    }

    void publish(Consumer<DecisionListener> what) {
        all.forEach(listener -> publish(listener, what));
    }

    private void publish(DecisionListener listener, Consumer<DecisionListener> what) {
        try {
            what.accept(listener);
        } catch (RuntimeException e) {
            // a failing listener must not affect decisions
            failures.increment();
        }
    }

    long failures() {
        return failures.sum();
    }
}
