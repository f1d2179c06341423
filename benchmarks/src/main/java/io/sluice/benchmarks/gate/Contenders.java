package io.sluice.benchmarks.gate;

import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All contenders, and the results of each: nanoseconds by {@link Rounds}, and the bytes that come with them. */
final class Contenders {
    private final Fork fork;
    private final List<Rounds.Contender> contenders = new ArrayList<>();
    private final Map<String, List<Double>> bytes = new LinkedHashMap<>();
    private final Map<String, Series> nanos = new LinkedHashMap<>();

    Contenders(Fork fork) {
        this.fork = fork;
    }

    static String named(String name, int threads) {
        return name + (threads == 1 ? ", 1 thread" : ", " + threads + " threads");
    }

    void add(String name, Class<?> benchmarks, String method, Map<String, String> parameters, int threads) {
        String full = named(name, threads);
        contenders.add(new Rounds.Contender(full, () -> {
            Fork.Outcome outcome = fork.run(benchmarks, method, parameters, threads);
            bytes.computeIfAbsent(full, it -> new ArrayList<>()).add(outcome.bytes());
            return outcome.nanos();
        }));
    }

    void measure(Rounds rounds) throws Exception {
        for (Series series : rounds.measure("ns/op", contenders)) {
            nanos.put(series.name(), series);
        }
    }

    Series nanos(String name, int threads) {
        return known(nanos, named(name, threads));
    }

    Series bytes(String name, int threads) {
        String full = named(name, threads);
        return new Series(full + ": allocated", "B/op", known(bytes, full));
    }

    /** All times, then all allocations. */
    List<Series> all() {
        List<Series> all = new ArrayList<>(nanos.values());
        bytes.forEach((name, samples) -> all.add(new Series(name + ": allocated", "B/op", samples)));
        return all;
    }

    private static <T> T known(Map<String, T> of, String name) {
        T found = of.get(name);
        if (found == null) {
            throw new IllegalArgumentException("there is no contender " + name + "; allowed: " + of.keySet());
        }
        return found;
    }
}
