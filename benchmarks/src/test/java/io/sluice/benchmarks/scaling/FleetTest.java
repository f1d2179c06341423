package io.sluice.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetTest {

    @Test
    void ratesAddUpAndCostsAreWeighedByEvents() {
        Fleet fleet = Fleet.of(List.of(told(100, 30, 2), told(50, 10, 6)));

        assertThat(fleet.eventsPerSecond()).isEqualTo(150);
        assertThat(fleet.cpuSecondsPerMillion()).isEqualTo(3);
    }

    @Test
    void aProcessThatTellsNothingIsNotLeftOut() {
        List<Map<String, Double>> told = List.of(told(100, 30, 2), Map.of("eventsPerSecond", 1.0));

        assertThatThrownBy(() -> Fleet.of(told))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("events was not told");
    }

    private static Map<String, Double> told(double rate, double events, double cost) {
        return Map.of("eventsPerSecond", rate, "events", events, "cpuSecondsPerMillion", cost);
    }
}
