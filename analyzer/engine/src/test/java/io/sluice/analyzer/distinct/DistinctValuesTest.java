package io.sluice.analyzer.distinct;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctValuesTest {
    static DistinctValues setOf(List<String> values) {
        DistinctValues set = DistinctValues.empty();
        values.forEach(set::add);
        return set;
    }

    static List<String> paths(int from, int to) {
        List<String> paths = new ArrayList<>();
        for (int i = from; i < to; i++) {
            paths.add("/orders/" + i);
        }
        return paths;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 10, 511, 512})
    void aFewAreCountedExactlyHoweverOftenTheyCome(int values) {
        DistinctValues set = setOf(paths(0, values));

        paths(0, values).forEach(it -> assertThat(set.add(it)).isFalse());

        assertThat(set.count()).isEqualTo(values);
        assertThat(set.exact()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"511, true", "512, true", "513, false"})
    void theSketchBeginsAboveFiveHundredAndTwelve(int values, boolean exact) {
        DistinctValues set = setOf(paths(0, values - 1));

        assertThat(set.add("/orders/" + (values - 1))).isTrue();

        assertThat(set.exact()).isEqualTo(exact);
        assertThat((double) set.count()).isBetween(Math.min(values, 513.0), values * 1.05);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatAddSaysAndWhatIsCountedIsThatOfASetWhileItIsExact(long seed) {
        Random random = new Random(seed);
        Set<String> expected = new HashSet<>();
        DistinctValues set = DistinctValues.empty();
        while (expected.size() <= DistinctValues.MOST_EXACT) {
            assertThat(set.count()).isEqualTo(expected.size());
            String value = text(random);

            assertThat(set.add(value)).isEqualTo(expected.add(value));
        }
        assertThat(set.exact()).isFalse();
    }

    /** Short, of few letters, so that some come twice: among them the empty one, a lone surrogate, and a zero. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(5); length > 0; length--) {
            text.append("ab/\u0000\ud800\u20ac".charAt(random.nextInt(6)));
        }
        return text.toString();
    }

    @Test
    void aSketchThatGrewHeldSomethingNew() {
        DistinctValues set = setOf(paths(0, 2000));

        paths(0, 2000).forEach(it -> assertThat(set.add(it)).isFalse());
        long grown = paths(2000, 4000).stream().filter(set::add).count();

        assertThat(grown).isBetween(1000L, 2000L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 300, 511, 512, 513, 514, 2000, 20_000})
    void theSameValuesGiveTheSameBytesInAnyOrderAndGrouping(int values) {
        List<String> paths = paths(0, values);
        DistinctValues expected = setOf(paths);
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Collections.shuffle(paths, random);

            DistinctValues grouped = grouped(paths, random);

            assertThat(grouped.encode()).as("seed %d", seed).isEqualTo(expected.encode());
            assertThat(grouped.count()).isEqualTo(expected.count());
        }
    }

    /** In groups of any size, some values in two of them, the groups put together two by two. */
    private static DistinctValues grouped(List<String> values, Random random) {
        List<DistinctValues> groups = new ArrayList<>(List.of(DistinctValues.empty()));
        for (int from = 0; from < values.size(); ) {
            int to = Math.min(values.size(), from + 1 + random.nextInt(1 << random.nextInt(12)));
            groups.add(setOf(values.subList(Math.max(0, from - random.nextInt(3)), to)));
            from = to;
        }
        while (groups.size() > 1) {
            DistinctValues one = groups.remove(random.nextInt(groups.size()));
            groups.get(random.nextInt(groups.size())).addAll(one);
        }
        return groups.get(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 512, 513, 5000})
    void aSetPutIntoItselfOrPutInTwiceChangesNothing(int values) {
        DistinctValues set = setOf(paths(0, values));
        byte[] before = set.encode();

        set.addAll(set);
        set.addAll(set.copy());
        set.addAll(setOf(paths(0, values / 2)));
        set.addAll(DistinctValues.empty());

        assertThat(set.encode()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 512, 513, 5000})
    void aCopyAndItsOriginGoTheirOwnWays(int values) {
        DistinctValues set = setOf(paths(0, values));
        byte[] before = set.encode();

        DistinctValues copy = set.copy();
        copy.addAll(setOf(paths(values, values + 1000)));

        assertThat(set.encode()).isEqualTo(before);
        assertThat(copy.encode()).isEqualTo(setOf(paths(0, values + 1000)).encode());
    }

    @ParameterizedTest
    @CsvSource({"3, 5", "3, 5000", "5000, 3", "5000, 6000"})
    void theSetThatIsPutInStaysAsItIs(int values, int others) {
        DistinctValues other = setOf(paths(0, others));
        byte[] before = other.encode();
        DistinctValues set = setOf(paths(-values, 0));

        set.addAll(other);
        set.addAll(setOf(paths(10_000, 20_000)));

        assertThat(other.encode()).isEqualTo(before);
    }

    @Test
    void whoPicksValuesByTheirHashStaysAboveWhatIsCountedExactly() {
        DistinctValues set = DistinctValues.empty();

        // all in one register, all of the same rank
        for (long i = 0; i < 100_000; i++) {
            set.addHash(1L << 51 | i);
        }

        assertThat(set.count()).isEqualTo(513);
    }
}
