package io.sluice.benchmarks.scaling;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What several processes of one fleet did together.
 *
 * @param eventsPerSecond of all
 * @param cpuSecondsPerMillion of all, for a million events of all
 */
record Fleet(double eventsPerSecond, double cpuSecondsPerMillion) {

    /** Starts so many processes at once and waits for all. */
    static Fleet run(Contender contender, int instances, int threads) throws Exception {
        String name = Contender.fleet();
        ExecutorService starters = Executors.newFixedThreadPool(instances);
        try {
            List<Future<Map<String, Double>>> running = new ArrayList<>();
            for (int n = 0; n < instances; n++) {
                String instance = "instance-" + n;
                running.add(starters.submit(() -> contender.run(name, instance, threads)));
            }
            List<Map<String, Double>> told = new ArrayList<>();
            for (Future<Map<String, Double>> each : running) {
                told.add(each.get());
            }
            System.err.println("  " + told);
            return of(told);
        } finally {
            starters.shutdownNow();
        }
    }

    /** Rates add up; what an event costs is weighed by who handled it. */
    static Fleet of(List<Map<String, Double>> told) {
        double rate = 0;
        double events = 0;
        double seconds = 0;
        for (Map<String, Double> each : told) {
            double own = figure(each, "events");
            rate += figure(each, "eventsPerSecond");
            events += own;
            seconds += own * figure(each, "cpuSecondsPerMillion");
        }
        return new Fleet(rate, seconds / events);
    }

    private static double figure(Map<String, Double> told, String name) {
        Double figure = told.get(name);
        if (figure == null) {
            throw new IllegalStateException(name + " was not told: " + told);
        }
        return figure;
    }
}
