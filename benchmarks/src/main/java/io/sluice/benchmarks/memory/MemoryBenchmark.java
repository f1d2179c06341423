package io.sluice.benchmarks.memory;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How many bytes of heap a lock takes, and a limiter in use, keys included, beside a map of records; and a window of the analyzer's. */
public final class MemoryBenchmark implements Benchmark {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String purpose() {
        return "heap a lock and a limiter in use, beside a map of records; and a window of the analyzer's";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        List<Rounds.Contender> contenders = new ArrayList<>();
        // a quick look only sees that ours did not grow
        List<Holding> holdings = scale.choose(
                List.of(Holding.LOCKS, Holding.LIMITERS, Holding.WINDOWS, Holding.WINDOWS_OF_TEN),
                List.of(Holding.values()));
        for (Holding holding : holdings) {
            contenders.add(new Rounds.Contender(holding.text(), () -> bytes(holding)));
        }
        Map<String, Series> measured = new HashMap<>();
        for (Series series : new Rounds(scale.choose(1, 3), System.err::println).measure("B/entry", contenders)) {
            report.add(series);
            measured.put(series.name(), series);
        }
        Series locks = of(measured, Holding.LOCKS);
        Series limiters = of(measured, Holding.LIMITERS);
        report.count("bytes a lock", locks.median(), Goal.atMost(145, 190));
        report.count("bytes a limiter in use", limiters.median(), Goal.atMost(160, 190));
        report.ratio("bytes a window in heap", of(measured, Holding.WINDOWS).median());
        if (holdings.contains(Holding.LOCK_RECORDS)) {
            report.ratio("a lock / a record of one", locks.over(of(measured, Holding.LOCK_RECORDS)));
            report.ratio("a limiter / a record of one", limiters.over(of(measured, Holding.LIMITER_RECORDS)));
        }
    }

    private static double bytes(Holding holding) throws IOException, InterruptedException {
        Map<String, Double> figures =
                Child.run(Entries.class, List.of("-Xms2g", "-Xmx2g"), List.of(holding.name()), PATIENCE);
        return Objects.requireNonNull(figures.get(Entries.BYTES), "the child told no bytes");
    }

    private static Series of(Map<String, Series> measured, Holding holding) {
        return Objects.requireNonNull(measured.get(holding.text()), holding.text());
    }
}
