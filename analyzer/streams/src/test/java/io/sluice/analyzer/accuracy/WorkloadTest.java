package io.sluice.analyzer.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkloadTest {

    @Tag("full")
    @Test
    void theyAreManyAndMostOfTheirCallersPeakCloseToTheLimit() {
        long events = 0;
        long justOver = 0;
        long justUnder = 0;
        Set<String> shapes = new HashSet<>();
        Set<String> kinds = new HashSet<>();
        for (int seed = 0; seed < Workload.SEEDS; seed++) {
            Workload workload = Workload.of(seed, Workload.CALLERS);
            events += workload.events().size();
            justOver += workload.peaking(1, 1.2);
            justUnder += workload.peaking(0.8, 1);
            shapes.add(workload.policy().measure().name() + " in "
                    + workload.policy().window());
            workload.peaks().forEach((caller, peak) -> {
                if (peak > workload.limit()) {
                    kinds.add(caller.substring(0, caller.indexOf('-')));
                }
            });
        }

        assertThat(Workload.SEEDS).isGreaterThanOrEqualTo(200);
        assertThat(events).isGreaterThanOrEqualTo(5_000_000);
        assertThat(justOver).isGreaterThanOrEqualTo(2_000);
        assertThat(justUnder).isGreaterThanOrEqualTo(2_000);
        // six windows cut in three ways, and a second in ten panes, by three measures
        assertThat(shapes).hasSizeGreaterThanOrEqualTo(54);
        assertThat(kinds).hasSize(Arrivals.values().length);
    }

    @Test
    void aSeedAlwaysMakesTheSameLog() {
        assertThat(Workload.of(7, 20)).isEqualTo(Workload.of(7, 20));
        assertThat(Workload.of(7, 20).events()).isNotEqualTo(Workload.of(8, 20).events());
    }
}
