package io.sluice.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Samples of one contender.
 *
 * @param name the contender
 * @param unit of the samples, such as {@code ns/op}
 * @param samples one a round, in order of the rounds; at least one
 */
public record Series(String name, String unit, List<Double> samples) {

    public Series {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unit, "unit");
        samples = List.copyOf(samples);
        if (samples.isEmpty()) {
            throw new IllegalArgumentException(name + " has no sample");
        }
    }

    public Series(String name, String unit, double... samples) {
        this(name, unit, Arrays.stream(samples).boxed().toList());
    }

    public double median() {
        return median(samples);
    }

    public double least() {
        return samples.stream().mapToDouble(x -> x).min().orElseThrow();
    }

    public double most() {
        return samples.stream().mapToDouble(x -> x).max().orElseThrow();
    }

    /** The same samples in another unit: from seconds to milliseconds, say. */
    public Series times(double factor, String newUnit) {
        return new Series(name, newUnit, samples.stream().map(x -> x * factor).toList());
    }

    /**
     * This over the other: the median of the quotients of one round each, so that a machine that slows down half-way
     * slows both.
     *
     * @throws IllegalArgumentException when the two have not the same number of rounds
     */
    public double over(Series other) {
        if (samples.size() != other.samples.size()) {
            throw new IllegalArgumentException(
                    "%s has %d rounds, %s %d".formatted(name, samples.size(), other.name, other.samples.size()));
        }
        List<Double> quotients = new ArrayList<>();
        for (int round = 0; round < samples.size(); round++) {
            quotients.add(samples.get(round) / other.samples.get(round));
        }
        return median(quotients);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
