package io.sluice.analyzer.distinct;

import static io.sluice.analyzer.distinct.DistinctValuesTest.paths;
import static io.sluice.analyzer.distinct.DistinctValuesTest.setOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctUnionTest {
    static long count(DistinctUnion union, List<DistinctValues> parts) {
        union.clear();
        parts.forEach(union::add);
        return union.count();
    }

    @Test
    void nothingIsZero() {
        assertThat(new DistinctUnion().count()).isZero();
        assertThat(count(new DistinctUnion(), List.of(DistinctValues.empty()))).isZero();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(2, 5));
    }

    /** One union for all rounds, large ones and small ones in turn: nothing is left from the round before. */
    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void exactPartsAreCountedExactlyHoweverManyTheirValues(long seed) {
        Random random = new Random(seed);
        DistinctUnion union = new DistinctUnion();
        for (int round = 0; round < 30; round++) {
            Set<Integer> expected = new HashSet<>();
            List<DistinctValues> parts = new ArrayList<>();
            int different = 1 << random.nextInt(18);
            for (int part = random.nextInt(100); part > 0; part--) {
                parts.add(part(random, different, expected));
            }

            assertThat(count(union, parts)).isEqualTo(expected.size());
            assertThat(union.exact()).isTrue();
        }
    }

    private static DistinctValues part(Random random, int different, Set<Integer> expected) {
        DistinctValues part = DistinctValues.empty();
        for (int values = random.nextInt(DistinctValues.MOST_EXACT + 1); values > 0; values--) {
            int value = random.nextInt(different);
            part.add("value-" + value);
            expected.add(value);
        }
        return part;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void anyHashIsCountedOnce(long hash) {
        DistinctValues part = DistinctValues.empty();
        part.addHash(hash);
        part.addHash(77);

        assertThat(count(new DistinctUnion(), List.of(part, part))).isEqualTo(2);
    }

    @Test
    void aHashOfZeroIsForgottenWithTheRest() {
        DistinctValues zero = DistinctValues.empty();
        zero.addHash(0);
        DistinctUnion union = new DistinctUnion();
        union.add(zero);

        union.clear();

        assertThat(union.count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 600", "1, 600", "7, 600", "29, 600", "29, 100000"})
    void withASketchAmongThemItIsTheSketchOfAllWhereverItStands(int place, int values) {
        List<DistinctValues> parts = new ArrayList<>();
        DistinctValues expected = DistinctValues.empty();
        for (int part = 0; part < 30; part++) {
            parts.add(part == place ? setOf(paths(0, values)) : setOf(paths(-100 * part, 1000 - 100 * part - 500)));
            expected.addAll(parts.get(part));
        }
        DistinctUnion union = new DistinctUnion();

        assertThat(count(union, parts)).isEqualTo(expected.count());
        assertThat(union.exact()).isFalse();
        // and again; then of another sketch alone, of few, with nothing left of the ones before
        assertThat(count(union, parts)).isEqualTo(expected.count());
        DistinctValues other = setOf(paths(-20_000, -19_000));
        assertThat(count(union, List.of(other))).isEqualTo(other.count());
        assertThat(count(union, List.of(setOf(paths(0, 9))))).isEqualTo(9);
        assertThat(union.exact()).isTrue();
    }

    @Test
    void aHashOfZeroIsTakenAlongIntoTheSketch() {
        DistinctValues zero = DistinctValues.empty();
        zero.addHash(0);
        DistinctValues many = setOf(paths(0, 100_000));
        DistinctValues expected = many.copy();
        expected.addAll(zero);

        // no hash leaves more in a register: the estimate can tell
        assertThat(count(new DistinctUnion(), List.of(zero, many))).isEqualTo(expected.count());
        assertThat(expected.count()).isNotEqualTo(many.count());
    }

    @Tag(Seeds.TAG)
    @Test
    void theMemoryOfTheTimeBeforeIsEnough() {
        DistinctUnion union = new DistinctUnion();
        List<DistinctValues> large = full(100);
        List<DistinctValues> small = full(2);
        var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        count(union, large);
        count(union, large);
        long before = thread.getCurrentThreadAllocatedBytes();

        int times = Seeds.of(20, 100);
        for (int i = 0; i < times; i++) {
            count(union, large);
            count(union, small);
        }

        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000L * times);
    }

    static List<DistinctValues> full(int parts) {
        List<DistinctValues> full = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            full.add(setOf(paths(512 * part, 512 * (part + 1))));
        }
        return full;
    }

    /** Hashes that would all go to one place if it weren't for the salt. One by one, that takes minutes. */
    @Test
    void hashesPickedToCollideAreCountedInNoTime() {
        List<DistinctValues> parts = new ArrayList<>();
        for (long part = 0; part < 600; part++) {
            DistinctValues values = DistinctValues.empty();
            for (long i = 0; i < DistinctValues.MOST_EXACT; i++) {
                values.addHash(unsalted(1L << 33 | part * DistinctValues.MOST_EXACT + i));
            }
            parts.add(values);
        }

        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        long count = count(new DistinctUnion(), parts);
        long spent = threads.getCurrentThreadCpuTime() - begun;

        assertThat(count).isEqualTo(600 * 512);
        assertThat(Duration.ofNanos(spent)).as("CPU time").isLessThan(Duration.ofSeconds(10));
    }

    /** The hash that, without a salt, is mixed to this. */
    private static long unsalted(long mixed) {
        long hash = mixed * inverse(0xc4ceb9fe1a85ec53L);
        hash ^= hash >>> 33;
        return hash * inverse(0xff51afd7ed558ccdL);
    }

    /** By Newton's iteration: each step doubles the bits that are right. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
