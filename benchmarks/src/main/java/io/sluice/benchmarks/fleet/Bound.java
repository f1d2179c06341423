package io.sluice.benchmarks.fleet;

import io.sluice.benchmarks.measure.Numbers;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;

/** Resources of a fleet with the bound beyond which a fleet counts as too large. */
enum Bound {
    AGENT_READS("reads of an agent", 1e6, "B/s", FleetFigures::bytesPerAgent),
    INSTANCE_READS("reads of an instance", 10e6, "B/s", FleetFigures::bytesPerInstance),
    INSTANCE_HEAP("heap budget of an instance", 1, "of it", FleetFigures::budgetUsed),
    INSTANCE_HEARTBEATS("heartbeats of its decide tasks", 0.1, "of a core", FleetFigures::heartbeatCore),
    BROKER_BATCHES("batches written to the brokers", 50_000, "batches/s", FleetFigures::batches),
    BROKER_WRITES("bytes written to the brokers", 100e6, "B/s", FleetFigures::bytes),
    BROKER_READS("bytes read from the brokers", 1e9, "B/s", FleetFigures::bytesRead);

    private final String title;
    private final double limit;
    private final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference without state
    private final ToDoubleFunction<FleetFigures> value;

    Bound(String title, double limit, String unit, ToDoubleFunction<FleetFigures> value) {
        this.title = title;
        this.limit = limit;
        this.unit = unit;
        this.value = value;
    }

    /** Returns the resource of which a fleet uses most, relative to its bound. */
    static Bound tightest(FleetFigures figures) {
        return Arrays.stream(values())
                .max(Comparator.comparingDouble(bound -> bound.use(figures)))
                .orElseThrow();
    }

    /** Returns the part of the bound that a fleet uses; more than 1 is too large. */
    double use(FleetFigures figures) {
        return value.applyAsDouble(figures) / limit;
    }

    /** The bound itself. */
    double limit() {
        return limit;
    }

    @Override
    public String toString() {
        return title + ", bound " + Numbers.text(limit) + " " + unit;
    }
}
