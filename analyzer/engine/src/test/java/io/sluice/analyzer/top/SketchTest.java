package io.sluice.analyzer.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SketchTest {
    private static final long FADE = 60_000;
    private static final double ROUNDING = 1e-6;

    /** A stream of subjects, the n-th of them, with the pace at which time passes. */
    private static Stream<Arguments> streams() {
        Random random = new Random(7);
        int[] zipf =
                random.doubles(30_000).mapToInt(x -> (int) Math.pow(5_000, x)).toArray();
        int[] uniform = random.ints(30_000, 0, 5_000).toArray();
        return Stream.of(
                stream("zipf", 0, n -> zipf[n]),
                stream("zipf, over ten hours", 1_200, n -> zipf[n]),
                stream("uniform", 3, n -> uniform[n]),
                // each new one drives the lightest out just before that one comes again
                stream("one more than there is room for, in turn", 0, n -> n % 33),
                stream("everybody once", 1, n -> n),
                stream("nobodies first, then one for good", 2, n -> n < 20_000 ? n : 1),
                stream("one among ever new ones", 5, n -> n % 20 == 0 ? -1 : n),
                stream("ever heavier ones", 0, n -> (int) Math.sqrt(n)));
    }

    private static Arguments stream(String name, long pace, IntFunction<Integer> subject) {
        return Arguments.of(name, pace, subject);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("streams")
    void whatItSaysIsNeverBelowTheTruthNorAboveItByMoreThanItsError(
            String name, long pace, IntFunction<Integer> subject) {
        int most = 32;
        Sketch sketch = new Sketch(most, FADE);
        Map<String, Double> exact = new HashMap<>();
        Random weights = new Random(3);
        long last = 29_999 * pace;

        for (int n = 0; n < 30_000; n++) {
            String who = "s" + subject.apply(n);
            double weight = 1 + weights.nextInt(5);
            sketch.add(List.of(who), n * pace, new Use(weight, 2 * weight, 1, 0, 0));
            exact.merge(who, weight * Math.exp((n * pace - last) / (double) FADE), Double::sum);
        }

        double total = exact.values().stream().mapToDouble(x -> x).sum();
        Map<String, Sketch.Held> held = sketch.held(last).stream()
                .collect(Collectors.toMap(it -> it.subject().get(0), it -> it));
        assertThat(sketch.total(last)).isCloseTo(total, within(total * ROUNDING));
        assertThat(held).hasSizeLessThanOrEqualTo(most);
        held.forEach((who, it) -> {
            double slack = total * ROUNDING;
            assertThat(it.use().weight()).isGreaterThanOrEqualTo(exact.get(who) - slack);
            assertThat(it.use().weight() - it.error()).isLessThanOrEqualTo(exact.get(who) + slack);
            assertThat(it.error()).isLessThanOrEqualTo(total / most + slack);
            assertThat(it.use().amount()).isCloseTo(2 * (it.use().weight() - it.error()), within(slack));
        });
        exact.forEach((who, weight) -> {
            if (weight > total / most * (1 + ROUNDING)) {
                assertThat(held).containsKey(who);
            }
        });
    }

    @Test
    void whatFitsIsExact() {
        Sketch sketch = new Sketch(2, FADE);
        sketch.add(List.of("a"), 1_000, use(3));
        sketch.add(List.of("b"), 1_000, use(1));
        sketch.add(List.of("a"), 1_000, use(4));

        assertThat(weights(sketch, 1_000)).containsOnly(Map.entry("a", 7.0), Map.entry("b", 1.0));
        assertThat(sketch.held(1_000)).allMatch(held -> held.error() == 0);
    }

    @Test
    void whoComesWhenThereIsNoRoomTakesTheLightestsPlaceAndItsCountAsAnError() {
        Sketch sketch = new Sketch(2, FADE);
        sketch.add(List.of("heavy"), 0, use(9));
        sketch.add(List.of("light"), 0, use(2));
        sketch.add(List.of("new"), 0, use(1));

        assertThat(weights(sketch, 0)).containsOnly(Map.entry("heavy", 9.0), Map.entry("new", 3.0));
        assertThat(sketch.held(0))
                .filteredOn(held -> held.subject().equals(List.of("new")))
                .allMatch(held -> held.error() == 2 && held.use().admitted() == 1);
    }

    @Test
    void whatHasEndedFadesAndNothingOverflows() {
        Sketch sketch = new Sketch(4, FADE);
        sketch.add(List.of("early"), 0, use(100));
        long years = 365L * 24 * 3_600_000 * 20;
        sketch.add(List.of("late"), years, use(1));

        assertThat(weights(sketch, years + FADE).get("late")).isCloseTo(1 / Math.E, within(1e-9));
        assertThat(weights(sketch, years).get("early")).isZero();
    }

    @Test
    void whatComesTooLateCountsLessAndNotMore() {
        Sketch sketch = new Sketch(4, FADE);
        sketch.add(List.of("a"), FADE, use(1));
        sketch.add(List.of("a"), 0, use(1));

        assertThat(weights(sketch, FADE).get("a")).isCloseTo(1 + 1 / Math.E, within(1e-9));
    }

    private static Use use(double weight) {
        return new Use(weight, weight, 1, 0, 0);
    }

    private static Map<String, Double> weights(Sketch sketch, long time) {
        return sketch.held(time).stream()
                .collect(Collectors.toMap(
                        held -> held.subject().get(0), held -> held.use().weight()));
    }
}
