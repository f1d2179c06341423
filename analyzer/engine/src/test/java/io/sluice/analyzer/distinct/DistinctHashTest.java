package io.sluice.analyzer.distinct;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctHashTest {
    private static final DistinctHash ONE = DistinctHash.keyed(0x1234_5678_9abc_def0L, 42);
    private static final DistinctHash OTHER = DistinctHash.keyed(0x1234_5678_9abc_def0L, 43);

    /** Paths of one register, of which a caller that knows the hash finds two thousand within a second. */
    @Tag(Seeds.TAG)
    @Test
    void valuesChosenByAKnownHash_countAsFew_andWithAKeyAsManyAsTheyAre() {
        int many = Seeds.of(700, 2_000);
        List<String> chosen = new ArrayList<>();
        for (int i = 0; chosen.size() < many; i++) {
            String path = "/items/" + i;
            if (DistinctHash.UNKEYED.of(path) >>> 52 == 7) {
                chosen.add(path);
            }
        }
        assertThat(set(DistinctHash.UNKEYED, chosen).count()).isEqualTo(513);
        assertThat(set(ONE, chosen).count()).isCloseTo(many, Percentage.withPercentage(5));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 512, 513, 50_000})
    void aSetWithAKey_isReadAsItWasWritten(int size) throws MalformedRecord {
        DistinctValues set = set(ONE, paths(0, size));
        DistinctValues read = DistinctValues.decode(set.encode());
        assertThat(read.count()).isEqualTo(set.count());
        assertThat(read.key()).isEqualTo(ONE.key());
        assertThat(read.encode()).isEqualTo(set.encode());
    }

    @Test
    void theSameKeyInTwoProcesses_givesTheSameHash() {
        DistinctHash again = DistinctHash.keyed(0x1234_5678_9abc_def0L, 42);
        assertThat(again.of("/a")).isEqualTo(ONE.of("/a"));
        assertThat(again.key()).isEqualTo(ONE.key()).isNotEqualTo(OTHER.key());
        assertThat(again.of("/a")).isNotEqualTo(OTHER.of("/a"));
    }

    /** As while a fleet is upgraded: nothing may count twice. */
    @ParameterizedTest
    @ValueSource(ints = {300, 3_000})
    void setsWithoutAKey_areLeftOutBesideSetsWithOne_inAnyOrder(int size) {
        DistinctValues former = set(DistinctHash.UNKEYED, paths(0, size));
        DistinctValues keyed = set(ONE, paths(0, size));
        assertThat(union(former, keyed)).isEqualTo(keyed.count());
        assertThat(union(keyed, former)).isEqualTo(keyed.count());
        assertThat(union(former, former)).isEqualTo(former.count());
    }

    /** As after the usage topic was made again: what was counted under the former key is not counted a second time. */
    @Test
    void setsOfAnotherKey_beginTheCountAnew() {
        assertThat(union(set(ONE, paths(0, 300)), set(OTHER, paths(200, 400)))).isEqualTo(200);
    }

    private static long union(DistinctValues... sets) {
        DistinctUnion union = new DistinctUnion();
        for (int round = 0; round < 2; round++) {
            union.clear();
            for (DistinctValues set : sets) {
                union.add(set);
            }
        }
        return union.count();
    }

    private static DistinctValues set(DistinctHash hash, List<String> values) {
        DistinctValues set = hash.none();
        values.forEach(value -> set.addHash(hash.of(value)));
        return set;
    }

    private static List<String> paths(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "/items/" + i).toList();
    }
}
