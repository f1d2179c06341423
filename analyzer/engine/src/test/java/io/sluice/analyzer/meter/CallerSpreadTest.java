package io.sluice.analyzer.meter;

import static io.sluice.analyzer.TestEvents.admitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import org.junit.jupiter.api.Test;

class CallerSpreadTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final int PARTITIONS = 1_000;
    private static final int EVENTS = 40_000;

    @Test
    void thousandPartitions_spreadOfTwoHoldsCallersBackAsTwoMetersDo() {
        assertThat(partials("caller", PARTITIONS)).as("without a spread").isEqualTo(EVENTS);
        // the mark is 50; the first 511 callers travel because one request is a 256th of all that was counted by then
        assertThat(partials("caller", 2)).as("with a spread of 2").isEqualTo(2 * 511);
    }

    @Test
    void subjectsWithoutTheCaller_keepTheMarkOfAllPartitions() {
        assertThat(partials("service", 2)).isEqualTo(partials("service", PARTITIONS));
    }

    @Test
    void spreadOutsideThePartitions_isRefused() {
        assertThatThrownBy(() -> meter(4, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> meter(4, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Meter meter(int partitions, int spread) {
        return new Meter(0, partitions, spread, TestBudgets.TIMES, TestBudgets.heap(), new Counts());
    }

    /** Number of partials that one meter sends of callers, or services, of which each makes two requests. */
    private static int partials(String per, int spread) {
        int[] partials = {0};
        try (Meter meter = meter(PARTITIONS, spread)) {
            meter.policies(TestPolicies.policies(
                    "{'name':'p','per':['" + per + "'],'window':'10s','panes':10,'lock':{'when':[{'above':200}]}}"));
            for (int i = 0; i < EVENTS; i++) {
                String name = "n" + i % (EVENTS / 2);
                meter.add(admitted(name, name, TIME));
                meter.drainAll((key, partial) -> partials[0]++);
            }
        }
        return partials[0];
    }
}
