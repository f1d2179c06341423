package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EpochTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 100, 100",
        "5, 0, 3, 6",
        "5, 9, 3, 10",
        "5, 9, 10, 10",
        "5, 9, 11, 11",
        "5, 9223372036854775807, 11, 9223372036854775807"
    })
    void anEpochIsHigherThanAllBefore(long stored, long seen, long wall, long next) {
        assertThat(Epoch.next(stored, seen, wall)).isEqualTo(next);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 9})
    void read_bytesOfAnotherLength_areNone(int length) {
        byte[] stored = new byte[length];
        Arrays.fill(stored, (byte) 1);

        assertThat(Epoch.read(stored)).isEqualTo(Epoch.NONE);
        assertThat(Epoch.readable(stored)).isFalse();
    }
}
