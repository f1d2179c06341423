package io.sluice.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EntriesTest {

    @ParameterizedTest
    @CsvSource({"1000, 1000, 10, 0", "1000, 1001, 10, 0.1", "0, 3000000000, 1000000, 3000", "1000, 0, 10, -100"})
    void bytesAnEntryAreWhatTheHeapGrewByOverWhatWasAdded(long before, long after, int entries, double each) {
        assertThat(Entries.each(before, after, entries)).isEqualTo(each);
    }
}
