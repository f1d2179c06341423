package io.sluice.benchmarks.gate;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A limiter for each caller, as users keep them: found with one look-up, made at the first request. Thread-safe. */
final class Keyed<T> {
    private final ConcurrentHashMap<String, T> limiters = new ConcurrentHashMap<>();
    private final Function<String, T> maker;

    Keyed(Function<String, T> maker) {
        this.maker = maker;
    }

    T of(String caller) {
        T known = limiters.get(caller);
        // computeIfAbsent alone locks the bin of a caller who is not the first in it
        return known == null ? limiters.computeIfAbsent(caller, maker) : known;
    }
}
