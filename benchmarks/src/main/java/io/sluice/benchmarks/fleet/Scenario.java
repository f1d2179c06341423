package io.sluice.benchmarks.fleet;

import io.sluice.benchmarks.workload.Callers;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fleet to simulate. Each partition has a meter task and a decide task; tasks are spread evenly over the instances, each with one thread.
 *
 * @param partitions of the requests, usage and gate-locks topics
 * @param instances analyzer processes, 1 to {@code partitions}
 * @param agents processes that follow the locks
 * @param services the agents are spread over
 * @param eventsPerSecond requests of the fleet, 0 for none
 * @param callers the distribution of callers
 * @param warmUpSeconds virtual seconds before the measurement
 * @param seconds virtual seconds to measure
 */
record Scenario(
        int partitions,
        int instances,
        int agents,
        int services,
        int eventsPerSecond,
        Callers callers,
        int warmUpSeconds,
        int seconds) {

    Scenario {
        if (partitions < 1 || instances < 1 || instances > partitions || eventsPerSecond < 0 || seconds < 1) {
            throw new IllegalArgumentException("partitions " + partitions + ", instances " + instances
                    + " (1 to the partitions), events/s " + eventsPerSecond + ", seconds " + seconds);
        }
    }

    /** Returns the instance that runs the tasks of a partition. */
    int instanceOf(int partition) {
        return partition % instances;
    }

    /** Returns the number of live agents of each service. */
    Map<String, Integer> liveAgents() {
        Map<String, Integer> live = new TreeMap<>();
        for (int agent = 0; agent < agents; agent++) {
            live.merge("service-" + agent % services, 1, Integer::sum);
        }
        return live;
    }
}
