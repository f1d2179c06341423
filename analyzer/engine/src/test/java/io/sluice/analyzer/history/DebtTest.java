package io.sluice.analyzer.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.contract.json.MalformedRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebtTest {
    private static final long START = 1_763_700_000_000L;
    private static final long PANE = 1000;
    private static final int LATE = 65;
    /** 60 a minute. */
    private static final Debt.Drain DRAIN = new Debt.Drain(PANE, 60.0 / 60_000);

    /** The exact leaky bucket: each request at its own time. */
    private static double exact(List<Long> times, long now) {
        double level = 0;
        long last = times.get(0);
        for (long time : times) {
            level = Math.max(0, level - (time - last) * DRAIN.perMillis()) + 1;
            last = time;
        }
        return Math.max(0, level - (now - last) * DRAIN.perMillis());
    }

    @Test
    void add_forgedSums_neverMakeTheLevelFall() {
        Debt debt = new Debt();
        debt.add(DRAIN, START / PANE, Long.MAX_VALUE, LATE);
        double before = debt.level(DRAIN, START);

        debt.add(DRAIN, START / PANE, Long.MAX_VALUE, LATE);

        assertThat(debt.level(DRAIN, START)).isGreaterThanOrEqualTo(before).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"1, 300", "2, 900", "3, 1100", "4, 3000", "5, 100", "6, 950", "7, 1000", "8, 500"})
    void isNeverAboveTheExactLevelAndNotFarBelow(long seed, int gap) {
        Random random = new Random(seed);
        List<Long> times = new ArrayList<>();
        Debt debt = new Debt();
        long time = START;
        for (int i = 0; i < 3000; i++) {
            time += random.nextInt(50) == 0 ? random.nextInt(200_000) : random.nextInt(2 * gap);
            times.add(time);
            debt.add(DRAIN, time / PANE, 1, LATE);

            double level = debt.level(DRAIN, time);
            double exactly = exact(times, time);
            // floating point, after thousands of additions
            assertThat(level).isLessThanOrEqualTo(exactly + 1e-6);
            assertThat(exactly - level).isLessThanOrEqualTo(PANE * DRAIN.perMillis() + 1e-6);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4"})
    void ordersAndPartsDoNotMatterAsLongAsNothingIsTooLate(long seed) throws MalformedRecord {
        Random random = new Random(seed);
        Debt inOrder = new Debt();
        Debt disordered = new Debt();
        List<Long> held = new ArrayList<>();
        long time = START;
        for (int i = 0; i < 2000; i++) {
            time += random.nextInt(600);
            inOrder.add(DRAIN, time / PANE, 1, LATE);
            held.add(time / PANE);
            if (held.size() == 40) {
                Collections.shuffle(held, random);
                for (long pane : held) {
                    disordered.add(DRAIN, pane, 1, LATE);
                }
                held.clear();
                disordered = Debt.decode(disordered.encode());
            }
        }

        assertThat(disordered.level(DRAIN, time)).isCloseTo(inOrder.level(DRAIN, time), within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"0, 100", "1000, 99", "50000, 50", "99999, 0.001", "100000, 0", "100001, 0"})
    void isPaidByTime(long after, double left) {
        Debt debt = new Debt();
        debt.add(DRAIN, START / PANE, 100, LATE);

        assertThat(debt.level(DRAIN, START + after)).isCloseTo(left, within(1e-9));
    }

    @Test
    void whatIsTooLateDoesNotCount() {
        Debt debt = new Debt();
        debt.add(DRAIN, START / PANE, 100, LATE);
        debt.add(DRAIN, START / PANE + 200, 1, LATE);

        debt.add(DRAIN, START / PANE - 1, 1_000_000, LATE);

        assertThat(debt.level(DRAIN, START + 200 * PANE)).isEqualTo(1);
    }

    @Test
    void anAbsurdPastDoesNotGrowIt() {
        Debt debt = new Debt();
        for (int pane = 0; pane < 10_000; pane++) {
            debt.add(DRAIN, START / PANE + pane, 1, Long.MAX_VALUE);
        }

        assertThat(debt.encode()).hasSizeLessThan(3000);
    }
}
