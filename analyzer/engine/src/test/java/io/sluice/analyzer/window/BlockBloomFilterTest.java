package io.sluice.analyzer.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockBloomFilterTest {
    private final BlockBloomFilter written = new BlockBloomFilter();

    @Test
    void whereNobodySaidWhatIsThereEverythingMayBe() {
        assertThat(written.may(1, 1000)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {999, 1000})
    void whatAnEarlierLifeMayHaveWrittenMayBeThere(long start) {
        written.begin(1000);

        assertThat(written.may(1, start)).isTrue();
        assertThat(written.may(1, 1001)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatWasWrittenIsKnownAndNearlyNothingElse(long seed) {
        Random random = new Random(seed);
        long[] keys = random.longs(500_000).toArray();
        written.begin(Long.MIN_VALUE);
        for (long key : keys) {
            written.note(key, 125_000);
        }

        for (long key : keys) {
            assertThat(written.may(key, 125_000)).isTrue();
        }
        long wrong = IntStream.range(0, 100_000)
                .filter(i -> written.may(random.nextLong(), 125_000))
                .count();
        long otherBlock = IntStream.range(0, 100_000)
                .filter(i -> written.may(keys[i], 250_000))
                .count();
        assertThat(wrong).isLessThan(1_000);
        assertThat(otherBlock).isLessThan(1_000);
    }

    @Test
    void oneThatIsFullForgetsAndKnowsThatItForgot() {
        written.begin(Long.MIN_VALUE);
        for (long key = 0; key <= 3_000_000; key++) {
            written.note(key * 0x9E3779B97F4A7C15L, 1000);
        }

        assertThat(written.may(7, 1000)).isTrue();
        assertThat(written.may(7, 1001)).isFalse();
        assertThat(written.newest()).isEqualTo(1000);
    }

    @Test
    void oneBlockThatIsWrittenAgainAndAgainFillsNothing() {
        written.begin(Long.MIN_VALUE);
        for (int commit = 0; commit < 3_000_000; commit++) {
            written.note(1, 1000);
        }

        assertThat(written.may(1, 1000)).isTrue();
        assertThat(written.may(2, 1000)).isFalse();
    }

    @Test
    void theNewestStartOutlivesALife() {
        written.begin(1000);
        written.note(1, 500);
        assertThat(written.newest()).isEqualTo(1000);

        written.note(1, 2000);
        assertThat(written.newest()).isEqualTo(2000);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, BlockSet.MOST, BlockSet.MOST + 1, 2 * BlockSet.MOST})
    void may_aroundTheStepFromTheSetToTheFilter_knowsEverythingWritten(int blocks) {
        written.begin(Long.MIN_VALUE);
        for (long key = 1; key <= blocks; key++) {
            written.note(key, 1000);
            written.note(key, 1000);
        }

        for (long key = 1; key <= blocks; key++) {
            assertThat(written.may(key, 1000)).isTrue();
        }
        assertThat(written.may(blocks + 1L, 2000)).isFalse();
    }
}
