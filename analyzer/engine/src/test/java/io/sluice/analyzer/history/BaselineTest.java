package io.sluice.analyzer.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.contract.json.MalformedRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BaselineTest {
    private static final long WINDOW = 60_000;
    private static final long HOUR = 3_600_000;
    private static final long START = 1_763_640_000_000L;
    private static final Baseline.Span SPAN = Baseline.Span.of(HOUR, WINDOW);

    private record Amount(long time, long sum) {}

    /** The definition, term by term. */
    private static double defined(List<Amount> amounts, long now) {
        Map<Long, Double> windows = new TreeMap<>();
        amounts.forEach(amount -> windows.merge(amount.time / WINDOW, (double) amount.sum, Double::sum));
        long first = windows.keySet().iterator().next();
        double alpha = 1 - Math.exp(-(double) WINDOW / HOUR);
        double mean = 0;
        double weights = 0;
        for (long window = now / WINDOW - 2; window >= first; window--) {
            double weight = alpha * Math.pow(1 - alpha, (double) (now / WINDOW - 2 - window));
            mean += weight * windows.getOrDefault(window, 0.0);
            weights += weight;
        }
        return mean / weights;
    }

    private static Baseline of(List<Amount> amounts) {
        Baseline baseline = new Baseline(1);
        amounts.forEach(amount -> baseline.add(SPAN, amount.time, amount.sum));
        return baseline;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isTheWeightedMeanOfTheWindowsBeforeTheLastTwoInWhateverOrderTheyCame(long seed) {
        Random random = new Random(seed);
        List<Amount> amounts = new ArrayList<>();
        long time = START + random.nextInt(100_000);
        for (int i = 0; i < 400; i++) {
            time += random.nextInt(30) == 0 ? random.nextInt(40) * WINDOW : random.nextInt(20_000);
            amounts.add(new Amount(time, random.nextInt(1000)));
        }
        double expected = defined(amounts, time);

        assertThat(of(amounts).usual(SPAN, 0)).isCloseTo(expected, within(1e-9 * expected));
        Collections.shuffle(amounts, random);
        assertThat(of(amounts).usual(SPAN, 0)).isCloseTo(expected, within(1e-9 * expected));
    }

    @Test
    void whatIsSteadyIsUsual() {
        List<Amount> amounts = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            amounts.add(new Amount(START + i * WINDOW, 100));
        }

        assertThat(of(amounts).usual(SPAN, 0)).isCloseTo(100, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"10, false", "11, true", "12, true"})
    void tenWholeWindowsBeforeTheLastTwoAreEnough(int newest, boolean known) {
        Baseline baseline = new Baseline(1);
        baseline.add(SPAN, START, 1);
        baseline.pass(SPAN, START + newest * WINDOW);

        assertThat(baseline.known(SPAN)).isEqualTo(known);
    }

    @Test
    void aBaselineOfFewWindowsIsKnownWhenAllOfThemWereSeen() {
        Baseline.Span three = Baseline.Span.of(3 * WINDOW, WINDOW);
        Baseline baseline = new Baseline(1);
        baseline.add(three, START, 1);
        baseline.pass(three, START + 3 * WINDOW);
        assertThat(baseline.known(three)).isFalse();

        baseline.pass(three, START + 4 * WINDOW);

        assertThat(baseline.known(three)).isTrue();
    }

    @Test
    void whileItIsFrozenTimeStandsStill() {
        Baseline baseline = new Baseline(1);
        for (int i = 0; i < 20; i++) {
            baseline.add(SPAN, START + i * WINDOW, 100);
        }
        double before = baseline.usual(SPAN, 0);

        for (int i = 20; i < 60; i++) {
            baseline.skip(SPAN, START + i * WINDOW);
        }
        baseline.add(SPAN, START + 59 * WINDOW + 30_000, 1_000_000);

        assertThat(baseline.usual(SPAN, 0)).isCloseTo(before, within(1e-9));
        for (int i = 60; i < 65; i++) {
            baseline.add(SPAN, START + i * WINDOW, 100);
        }
        assertThat(baseline.usual(SPAN, 0)).isCloseTo(100, within(2.0));
    }

    @Test
    void whatHappensNowIsNotUsualYet() {
        Baseline baseline = new Baseline(1);
        for (int i = 0; i < 20; i++) {
            baseline.add(SPAN, START + i * WINDOW, 100);
        }

        baseline.add(SPAN, START + 20 * WINDOW, 1_000_000);
        baseline.add(SPAN, START + 21 * WINDOW, 1_000_000);

        assertThat(baseline.usual(SPAN, 0)).isCloseTo(100, within(1e-9));
        assertThat(baseline.at(SPAN, START + 21 * WINDOW)).isTrue();
        assertThat(baseline.at(SPAN, START + 20 * WINDOW)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void goesOnFromItsBytes(long seed) throws MalformedRecord {
        Random random = new Random(seed);
        Baseline whole = new Baseline(2);
        Baseline stored = new Baseline(2);
        long time = START;
        for (int i = 0; i < 200; i++) {
            time += random.nextInt(30_000);
            long sum = random.nextInt(100);
            whole.add(SPAN, time, sum, 2 * sum);
            stored.add(SPAN, time, sum, 2 * sum);
            if (random.nextInt(10) == 0) {
                whole.skip(SPAN, time);
                stored.skip(SPAN, time);
            }
            stored = Baseline.decode(stored.encode());
        }

        assertThat(stored.usual(SPAN, 0)).isEqualTo(whole.usual(SPAN, 0));
        assertThat(stored.raw(1)).isEqualTo(whole.raw(1));
        assertThat(stored.known(SPAN)).isEqualTo(whole.known(SPAN));
    }
}
