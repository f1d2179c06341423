package io.sluice.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures contenders in turns, round after round, each round beginning with another one: what else the machine does
 * meanwhile falls on all of them.
 */
public final class Rounds {

    private final int rounds;
    private final Consumer<String> progress;

    /** @param progress hears one line before each measurement */
    public Rounds(int rounds, Consumer<String> progress) {
        if (rounds < 1) {
            throw new IllegalArgumentException("at least one round, not " + rounds);
        }
        this.rounds = rounds;
        this.progress = progress;
    }

    /** A contender to be measured. */
    public record Contender(String name, Sample sample) {}

    /** One measurement. */
    public interface Sample {
        double take() throws Exception;
    }

    /** One series a contender, in their order. */
    public List<Series> measure(String unit, List<Contender> contenders) throws Exception {
        double[][] samples = new double[contenders.size()][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int index : order(contenders.size(), round)) {
                Contender contender = contenders.get(index);
                progress.accept("round %d of %d: %s".formatted(round + 1, rounds, contender.name()));
                samples[index][round] = contender.sample().take();
            }
        }
        List<Series> measured = new ArrayList<>();
        for (int index = 0; index < samples.length; index++) {
            measured.add(new Series(contenders.get(index).name(), unit, samples[index]));
        }
        return measured;
    }

    private static List<Integer> order(int size, int round) {
        List<Integer> order = new ArrayList<>();
        for (int index = 0; index < size; index++) {
            order.add(index);
        }
        Collections.rotate(order, -(round % size));
        return order;
    }
}
