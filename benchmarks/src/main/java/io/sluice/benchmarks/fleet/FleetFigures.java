package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.budget.Account;
import java.util.List;

/**
 * Figures of a simulated scenario.
 *
 * @param broker records and bytes of the measured time
 * @param instances their heap at the end
 * @param commits per second, of all instances
 * @param partials per second, of all meters
 * @param events per second
 */
record FleetFigures(
        Scenario scenario,
        VirtualBroker broker,
        List<VirtualInstance> instances,
        double commits,
        double partials,
        double events) {

    /** Records written to a topic per second. */
    double records(Topic topic) {
        return broker.written(topic).records() / (double) scenario.seconds();
    }

    /** Bytes written to a topic per second, compressed, without replication. */
    double bytes(Topic topic) {
        return broker.written(topic).bytes() / (double) scenario.seconds();
    }

    /** Bytes written to all simulated topics per second. */
    double bytes() {
        double sum = 0;
        for (Topic topic : Topic.values()) {
            sum += bytes(topic);
        }
        return sum;
    }

    /** Record batches written to all simulated topics per second. */
    double batches() {
        long sum = 0;
        for (Topic topic : Topic.values()) {
            sum += broker.written(topic).batches();
        }
        return sum / (double) scenario.seconds();
    }

    /** Records that one agent reads per second. */
    double recordsPerAgent() {
        return perAgent(broker.readByAgents(Topic.GATE_LOCKS).records());
    }

    /** Bytes that one agent reads per second, without what the protocol of Kafka adds to each fetch. */
    double bytesPerAgent() {
        return perAgent(broker.readByAgents(Topic.GATE_LOCKS).bytes());
    }

    private double perAgent(long all) {
        return scenario.agents() == 0 ? 0 : all / (double) scenario.agents() / scenario.seconds();
    }

    /** Bytes that one instance reads per second, without requests; the average. */
    double bytesPerInstance() {
        long sum = 0;
        for (Topic topic : Topic.values()) {
            sum += broker.readByInstances(topic).bytes();
        }
        return sum / (double) scenario.instances() / scenario.seconds();
    }

    /** Bytes per second of the instance that writes most. */
    double mostWritten() {
        long most = 0;
        for (int instance = 0; instance < scenario.instances(); instance++) {
            most = Math.max(most, broker.writtenBy(instance));
        }
        return most / (double) scenario.seconds();
    }

    /** Bytes that all agents and instances read per second. */
    double bytesRead() {
        return bytesPerInstance() * scenario.instances() + bytesPerAgent() * scenario.agents();
    }

    /** Bytes of an account of the heap budget in the instance where it takes most. */
    long most(Account account) {
        return instances.stream()
                .mapToLong(instance -> instance.used().getOrDefault(account, 0L))
                .max()
                .orElseThrow();
    }

    /** Largest part of its heap budget that an instance uses, 0 to 1. */
    double budgetUsed() {
        return instances.stream()
                .mapToDouble(instance -> instance.used().values().stream()
                                .mapToLong(Long::longValue)
                                .sum()
                        / (double) instance.budget())
                .max()
                .orElseThrow();
    }

    /** Measured part of a core that the heartbeats of all decide tasks take an instance; the average. */
    double heartbeatCore() {
        return instances.stream()
                        .mapToLong(VirtualInstance::heartbeatNanos)
                        .average()
                        .orElseThrow()
                / 1e9;
    }

    /** Subjects that the meters of all instances hold back or know as loud. */
    long known() {
        return instances.stream().mapToLong(VirtualInstance::known).sum();
    }

    int locks() {
        return instances.stream().mapToInt(VirtualInstance::locks).sum();
    }
}
