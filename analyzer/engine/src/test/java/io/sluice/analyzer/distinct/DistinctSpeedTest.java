package io.sluice.analyzer.distinct;

import static io.sluice.analyzer.distinct.DistinctUnionTest.count;
import static io.sluice.analyzer.distinct.DistinctValuesTest.paths;
import static io.sluice.analyzer.distinct.DistinctValuesTest.setOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Says how long things take; how long they may depends on the machine, so nothing is asked of it. */
@Tag("full")
class DistinctSpeedTest {
    @ParameterizedTest
    @CsvSource({
        "60, 10, 10",
        "60, 10, 0",
        "60, 512, 512",
        "600, 10, 10",
        "600, 512, 512",
        "600, 512, 0",
        "60, 600, 100",
        "600, 600, 100"
    })
    void theTimeOfAUnionIsPrinted(int panes, int values, int step) {
        List<DistinctValues> parts = new ArrayList<>();
        for (int pane = 0; pane < panes; pane++) {
            parts.add(setOf(paths(pane * step, pane * step + values)));
        }
        DistinctUnion union = new DistinctUnion();

        double nanos = nanos(() -> count(union, parts));

        System.out.printf(
                "union of %d panes of %d values, %,d different: %,.0f ns%n", panes, values, union.count(), nanos);
        assertThat(union.exact()).isEqualTo(values <= DistinctValues.MOST_EXACT);
    }

    @ParameterizedTest
    @CsvSource({"10, add", "500, add", "100000, add", "100000, count", "500, encode", "100000, encode"})
    void theTimeOfASetIsPrinted(int values, String what) {
        List<String> paths = paths(0, values);
        DistinctValues set = setOf(paths);

        double nanos = switch (what) {
            case "add" -> nanos(() -> paths.stream().filter(set::add).count()) / values;
            case "count" -> nanos(set::count);
            default -> nanos(() -> set.encode().length);
        };

        System.out.printf("%s, in a set of %,d values: %,.0f ns%n", what, values, nanos);
        assertThat(set.count()).isPositive();
    }

    @Test
    void theTimeToFillASetIsPrinted() {
        List<String> paths = paths(0, DistinctValues.MOST_EXACT);

        double nanos = nanos(() -> setOf(paths).count()) / paths.size();

        System.out.printf("add of a new value, up to %d: %,.0f ns%n", paths.size(), nanos);
        assertThat(nanos).isPositive();
    }

    /** Of one call; the best of five rounds after one to warm up, because others use the machine. */
    private static double nanos(LongSupplier call) {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 6; round++) {
            long calls = 0;
            long start = System.nanoTime();
            long sum = 0;
            while (System.nanoTime() - start < 40_000_000) {
                sum += call.getAsLong();
                calls++;
            }
            double nanos = (double) (System.nanoTime() - start) / calls;
            best = round > 0 && sum >= 0 ? Math.min(best, nanos) : best;
        }
        return best;
    }
}
