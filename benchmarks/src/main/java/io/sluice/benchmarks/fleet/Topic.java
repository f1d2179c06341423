package io.sluice.benchmarks.fleet;

import java.util.Locale;

/** A topic of the simulated fleet, and which processes read it. */
enum Topic {
    /** Partials, read by the instance that runs the partition's decide task. */
    USAGE(Readers.ONE_INSTANCE),
    /** Loads, positions of meters and watches, read by each instance. */
    LOADS(Readers.ALL_INSTANCES),
    /** Locks and heartbeats of decide tasks, read by each instance and each agent. */
    GATE_LOCKS(Readers.INSTANCES_AND_AGENTS),
    /** Heartbeats of agents, read by each instance. */
    AGENTS(Readers.ALL_INSTANCES),
    /** Transitions of locks. Read on request. */
    DECISIONS(Readers.NONE),
    /** State of decide tasks, read after a failure. */
    CHANGELOGS(Readers.NONE);

    private enum Readers {
        NONE,
        ONE_INSTANCE,
        ALL_INSTANCES,
        INSTANCES_AND_AGENTS
    }

    private final Readers readers;

    Topic(Readers readers) {
        this.readers = readers;
    }

    /** Returns the number of agents that read each record. */
    int agentReaders(Scenario scenario) {
        return readers == Readers.INSTANCES_AND_AGENTS ? scenario.agents() : 0;
    }

    /** Returns the number of instances that read each record. */
    int instanceReaders(Scenario scenario) {
        return switch (readers) {
            case NONE -> 0;
            case ONE_INSTANCE -> 1;
            case ALL_INSTANCES, INSTANCES_AND_AGENTS -> scenario.instances();
        };
    }

    /** Its name in the configuration, without a prefix. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
