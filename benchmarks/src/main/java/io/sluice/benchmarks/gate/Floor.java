package io.sluice.benchmarks.gate;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The least that a local limit with a lock table can do: reads the clock once, the map once, and swaps one word. The map
 * holds all callers, the locked million too, as one table must.
 */
final class Floor {
    private final ConcurrentHashMap<String, AtomicLong> words = new ConcurrentHashMap<>();

    /** @param asking the very names that will be asked for, as every contender keeps them */
    Floor(String[] asking, int locked) {
        for (String name : asking) {
            words.put(name, new AtomicLong());
        }
        for (int i = 0; i < locked; i++) {
            words.put(Callers.name(Callers.ASKING + i), new AtomicLong());
        }
    }

    boolean pass(String caller) {
        long now = System.nanoTime();
        AtomicLong word = words.get(caller);
        return word != null && word.compareAndSet(word.getPlain(), now);
    }
}
