package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a benchmark found: series, the ratios between them, and whether those are what they ought to be. */
public final class Report {

    private final String benchmark;
    private final List<Series> results = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();

    public Report(String benchmark) {
        this.benchmark = Objects.requireNonNull(benchmark, "benchmark");
    }

    /**
     * One quotient and what it ought to be.
     *
     * @param name unique in its report
     * @param goal none when the ratio is only told
     */
    public record Ratio(String name, double value, @Nullable Goal goal) {

        /** Whether something broke. */
        public boolean beyond() {
            return goal != null && goal.of(value) == Goal.Outcome.BEYOND;
        }
    }

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

    /** A quotient that has to be what the goal says. */
    public void ratio(String name, double value, Goal goal) {
        put(new Ratio(name, value, goal));
    }

    /** A quotient that is told, and promises nothing. */
    public void ratio(String name, double value) {
        put(new Ratio(name, value, null));
    }

    private void put(Ratio ratio) {
        if (ratios.stream().anyMatch(other -> other.name().equals(ratio.name()))) {
            throw new IllegalArgumentException("two ratios are called " + ratio.name());
        }
        ratios.add(ratio);
    }

    /** Every ratio so far off its goal that something broke. */
    public List<Ratio> beyond() {
        return ratios.stream().filter(Ratio::beyond).toList();
    }
}
