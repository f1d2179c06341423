package io.sluice.agent.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.contract.key.Partitions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallerPartitionsTest {
    private static final int ENTRIES = 200_000;

    private static BitSet all(int partitions) {
        BitSet available = new BitSet();
        available.set(0, partitions);
        return available;
    }

    /** Returns the entries of the fullest partition over the average. */
    private static double imbalance(CallerPartitions placement, int partitions, double hot, int callers) {
        SplittableRandom random = new SplittableRandom(partitions);
        long[] entries = new long[partitions];
        for (int i = 0; i < ENTRIES; i++) {
            String caller = random.nextDouble() < hot ? "hot" : "caller-" + random.nextInt(callers);
            entries[placement.choose(caller, all(partitions), partitions)]++;
        }
        return Arrays.stream(entries).max().orElse(0) * (double) partitions / ENTRIES;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16})
    void allProcessesUseTheSameFewPartitionsForACaller(int spread) {
        Map<String, Set<Integer>> used = new HashMap<>();
        SplittableRandom random = new SplittableRandom(spread);
        for (int process = 0; process < 4; process++) {
            CallerPartitions placement = new CallerPartitions(spread);
            for (int i = 0; i < 20_000; i++) {
                String caller = "caller-" + random.nextInt(50);
                used.computeIfAbsent(caller, any -> new HashSet<>()).add(placement.choose(caller, all(100), 100));
            }
        }
        assertThat(used.values())
                .allSatisfy(partitions -> assertThat(partitions).hasSizeBetween(1, spread));
        assertThat(used.values())
                .anySatisfy(partitions -> assertThat(partitions).hasSize(spread));
    }

    @Test
    void oneChoiceIsTheOneOfKafkasProducers() {
        CallerPartitions placement = new CallerPartitions(1);
        for (int i = 0; i < 1000; i++) {
            String caller = "caller-" + i;
            assertThat(placement.choose(caller, all(7), 7))
                    .isEqualTo(Partitions.of(caller.getBytes(StandardCharsets.UTF_8), 7));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64})
    void callersAlike_fillAllPartitionsAlike(int partitions) {
        assertThat(imbalance(new CallerPartitions(2), partitions, 0, 10_000)).isLessThan(1.01);
        assertThat(imbalance(new CallerPartitions(1), partitions, 0, 10_000)).isGreaterThan(1.01);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64})
    void oneCallerWithNearlyAllEntries_fillsItsTwoPartitionsAlike(int partitions) {
        assertThat(imbalance(new CallerPartitions(2), partitions, 0.95, 10_000))
                .isEqualTo(0.95 / 2 * partitions, within(0.01 * partitions));
    }

    @Test
    void aPartitionWithoutALeaderIsPassedOver() {
        CallerPartitions placement = new CallerPartitions(2);
        int first = placement.choose("acme", all(10), 10);
        BitSet others = all(10);
        others.clear(first);
        int second = placement.choose("acme", others, 10);
        assertThat(second).isNotIn(first, CallerPartitions.ANY);

        others.clear(second);
        assertThat(placement.choose("acme", others, 10)).isEqualTo(CallerPartitions.ANY);
    }

    @Test
    void noMorePartitionsThanACallerMayUse_anyWillDo() {
        assertThat(new CallerPartitions(2).choose("acme", all(2), 2)).isEqualTo(CallerPartitions.ANY);
        assertThat(new CallerPartitions(1).choose("acme", all(1), 1)).isEqualTo(CallerPartitions.ANY);
    }

    @Test
    void newPartitionsAreNotFloodedUntilTheyHaveCaughtUp() {
        CallerPartitions placement = new CallerPartitions(2);
        imbalance(placement, 4, 0, 10_000);
        assertThat(imbalance(placement, 8, 0, 10_000)).isLessThan(1.1);
        assertThat(IntStream.range(0, 1000)
                        .map(i -> placement.choose("caller-" + i, all(8), 8))
                        .distinct()
                        .count())
                .isEqualTo(8);
    }
}
