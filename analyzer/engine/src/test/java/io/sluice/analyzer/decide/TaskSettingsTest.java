package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskSettingsTest {
    private static final long MEGABYTE = 1 << 20;

    @ParameterizedTest
    @CsvSource({"256, 2, 139810", "256, 1, 279620", "1024, 12, 93206", "4096, 2, 1000000", "16, 64, 1000"})
    void allTasksOfAProcessTogetherHoldNoMoreThanAThirdOfItsHeap(long megabytes, int partitions, int each) {
        assertThat(TaskSettings.hotWindows(megabytes * MEGABYTE, partitions)).isEqualTo(each);
    }
}
