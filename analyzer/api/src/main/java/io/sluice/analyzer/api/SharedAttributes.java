package io.sluice.analyzer.api;

import io.sluice.contract.event.RequestEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds other callers that come from the addresses of a caller, or carry its labels. A log is read twice: first for the values of the caller,
 * then for the others that have them. At most {@value #VALUES} values and {@value #CALLERS} callers of each are kept; further callers are
 * counted together by their requests. Confined to one thread.
 */
final class SharedAttributes {
    private static final int VALUES = 20;
    private static final int CALLERS = 1_000;

    private final String caller;
    private final Map<Value, Map<String, Long>> values = new HashMap<>();
    private long own;

    /** A value of an attribute, which is {@code ip} or {@code labels.NAME}. */
    record Value(String attribute, String value) {}

    /**
     * A value that others have too.
     *
     * @param requests of each other caller, the busiest first
     */
    record Shared(Value value, List<Map.Entry<String, Long>> requests) {}

    SharedAttributes(String caller) {
        this.caller = caller;
    }

    /** Takes an event at the first reading. */
    void learn(RequestEvent event) {
        if (event.caller().equals(caller)) {
            own += event.count();
            of(event).forEach(value -> {
                if (values.size() < VALUES) {
                    values.computeIfAbsent(value, any -> new HashMap<>());
                }
            });
        }
    }

    /** Takes an event at the second reading. */
    void compare(RequestEvent event) {
        if (!event.caller().equals(caller)) {
            of(event).forEach(value -> {
                Map<String, Long> others = values.get(value);
                if (others != null && (others.size() < CALLERS || others.containsKey(event.caller()))) {
                    others.merge(event.caller(), event.count(), Long::sum);
                }
            });
        }
    }

    private static List<Value> of(RequestEvent event) {
        List<Value> values = new ArrayList<>();
        // a caller that is its address shares nothing by that
        if (event.ip() != null && !event.ip().equals(event.caller())) {
            values.add(new Value("ip", event.ip()));
        }
        event.labels().forEach((name, value) -> values.add(new Value("labels." + name, value)));
        return values;
    }

    /** Returns the requests of the caller itself. */
    long own() {
        return own;
    }

    /** Returns the values that others have too; those with the fewest callers say most and come first. */
    List<Shared> shared() {
        return values.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .sorted(Comparator.comparingInt((Map.Entry<Value, Map<String, Long>> entry) ->
                                entry.getValue().size())
                        .thenComparing(entry -> entry.getKey().toString()))
                .map(entry -> new Shared(
                        entry.getKey(),
                        entry.getValue().entrySet().stream()
                                .sorted(Map.Entry.<String, Long>comparingByValue()
                                        .reversed()
                                        .thenComparing(Map.Entry.comparingByKey()))
                                .map(Map.Entry::copyOf)
                                .toList()))
                .toList();
    }
}
