package io.sluice.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The result of a benchmark: series, ratios between them, figures that don't depend on time, and their goals. */
public final class Report {

    private final String benchmark;
    private final Scale scale;
    private final List<Series> results = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();

    public Report(String benchmark, Scale scale) {
        this.benchmark = Objects.requireNonNull(benchmark, "benchmark");
        this.scale = Objects.requireNonNull(scale, "scale");
    }

    /**
     * One quotient and what it ought to be.
     *
     * @param name unique in its report
     * @param goal none when the ratio is only reported
     * @param timed whether it is measured in time, which a busy machine changes; bytes and records are not
     */
    public record Ratio(String name, double value, @Nullable Goal goal, boolean timed) {}

    public String benchmark() {
        return benchmark;
    }

    public List<Series> results() {
        return List.copyOf(results);
    }

    public List<Ratio> ratios() {
        return List.copyOf(ratios);
    }

    public void add(Series series) {
        results.add(series);
    }

    public void add(List<Series> all) {
        results.addAll(all);
    }

    /** Adds a quotient of times, which is judged at {@link Scale#FULL} only. */
    public void ratio(String name, double value, Goal goal) {
        put(new Ratio(name, value, goal, true));
    }

    /** Adds a quotient without a goal. */
    public void ratio(String name, double value) {
        put(new Ratio(name, value, null, true));
    }

    /** Adds a figure that is the same on every machine, such as bytes allocated or records per event; it is always judged. */
    public void count(String name, double value, Goal goal) {
        put(new Ratio(name, value, goal, false));
    }

    private void put(Ratio ratio) {
        if (ratios.stream().anyMatch(other -> other.name().equals(ratio.name()))) {
            throw new IllegalArgumentException("two ratios are called " + ratio.name());
        }
        ratios.add(ratio);
    }

    /** Returns the ratios beyond their guard band; of a quick run only those that don't depend on time. */
    public List<Ratio> beyond() {
        return ratios.stream().filter(this::isBeyond).toList();
    }

    /** Returns whether a ratio of this report fails the run. */
    public boolean isBeyond(Ratio ratio) {
        return ratio.goal() != null
                && ratio.goal().of(ratio.value()) == Goal.Outcome.BEYOND
                && (scale == Scale.FULL || !ratio.timed());
    }
}
