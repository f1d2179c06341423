package io.sluice.benchmarks.strategies;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Limits of the fleet: what each strategy costs a request and its store, how exact it is, and what a dead or frozen store does to it. */
public final class StrategiesBenchmark implements Benchmark {

    @Override
    public String name() {
        return "strategies";
    }

    @Override
    public String purpose() {
        return "limits of the fleet by shares, Redis, PostgreSQL and token servers, beside Bucket4j's proxies";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        try (Stores stores = Stores.start()) {
            List<QuotaContender> contenders = stores.contenders();
            new SpeedReport(report, contenders).measure(scale);
            FaultRun.Spans spans =
                    scale.choose(new FaultRun.Spans(1_000, 700, 3_500), new FaultRun.Spans(10_000, 5_000, 12_000));
            List<FaultRun> runs = new ArrayList<>();
            runs.add(run(null, contenders, spans));
            for (MeasuredStore store : List.of(stores.redis(), stores.postgres(), stores.tokens())) {
                runs.add(run(store, contenders, spans));
            }
            System.err.println("faults");
            for (FaultRun.Recording recording : record(scale, runs)) {
                recording.logs().forEach((contender, log) -> FaultReport.add(report, recording, contender, log));
            }
        }
    }

    private static FaultRun run(@Nullable MeasuredStore store, List<QuotaContender> all, FaultRun.Spans spans) {
        return new FaultRun(
                store, all.stream().filter(it -> it.store() == store).toList(), spans);
    }

    /** Runs them one after the other; of a quick run all at once. */
    private static List<FaultRun.Recording> record(Scale scale, List<FaultRun> runs) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(scale.choose(runs.size(), 1));
        try {
            List<FaultRun.Recording> recordings = new ArrayList<>();
            List<Callable<FaultRun.Recording>> tasks = new ArrayList<>();
            runs.forEach(run -> tasks.add(run::run));
            for (Future<FaultRun.Recording> each : threads.invokeAll(tasks)) {
                recordings.add(each.get());
            }
            return recordings;
        } finally {
            threads.shutdown();
        }
    }
}
