package io.sluice.benchmarks.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.budget.Account;
import io.sluice.benchmarks.workload.Callers;
import org.junit.jupiter.api.Test;

final class FleetSimulationTest {
    private static final int PARTITIONS = 6;
    private static final int INSTANCES = 3;
    private static final int AGENTS = 50;

    @Test
    void reads_ofEachTopic_areWritesTimesReaders() {
        FleetFigures figures = simulate(INSTANCES, 600);

        VirtualBroker broker = figures.broker();
        assertThat(broker.written(Topic.USAGE).records()).isPositive();
        assertThat(broker.readByInstances(Topic.USAGE).bytes())
                .isEqualTo(broker.written(Topic.USAGE).bytes());
        for (Topic topic : new Topic[] {Topic.LOADS, Topic.GATE_LOCKS, Topic.AGENTS}) {
            Flow written = broker.written(topic);
            Flow read = broker.readByInstances(topic);
            assertThat(written.bytes()).isPositive();
            assertThat(read.records()).isEqualTo(INSTANCES * written.records());
            assertThat(read.bytes()).isEqualTo(INSTANCES * written.bytes());
        }
        assertThat(broker.readByAgents(Topic.GATE_LOCKS).records())
                .isEqualTo(AGENTS * broker.written(Topic.GATE_LOCKS).records());
        assertThat(broker.readByAgents(Topic.USAGE).records()).isZero();
    }

    @Test
    void writes_ofAllInstancesAndAgents_areWhatTheTopicsReceive() {
        FleetFigures figures = simulate(INSTANCES, 600);

        long byInstances = 0;
        for (int instance = 0; instance < INSTANCES; instance++) {
            byInstances += figures.broker().writtenBy(instance);
        }
        long byAgents = figures.broker().written(Topic.AGENTS).bytes();
        assertThat((double) byInstances + byAgents)
                .isEqualTo(figures.bytes() * figures.scenario().seconds());
    }

    @Test
    void idleFleet_writesHeartbeatsAndPositionsOnly() {
        FleetFigures figures = simulate(INSTANCES, 0);

        assertThat(figures.records(Topic.GATE_LOCKS)).isEqualTo(PARTITIONS);
        assertThat(figures.records(Topic.LOADS)).isEqualTo(5.0 * INSTANCES);
        assertThat(figures.records(Topic.USAGE)).isZero();
        assertThat(figures.records(Topic.CHANGELOGS)).isZero();
        assertThat(figures.commits()).isZero();
    }

    @Test
    void sameScenario_givesSameFigures() {
        FleetFigures first = simulate(1, 600);
        FleetFigures second = simulate(1, 600);

        for (Topic topic : Topic.values()) {
            assertThat(second.records(topic)).isEqualTo(first.records(topic));
        }
        assertThat(second.most(Account.METERS)).isEqualTo(first.most(Account.METERS));
    }

    private static FleetFigures simulate(int instances, int eventsPerSecond) {
        return new FleetSimulation(
                        new Scenario(PARTITIONS, instances, AGENTS, 5, eventsPerSecond, Callers.zipf(100, 1.1), 2, 2))
                .run();
    }
}
