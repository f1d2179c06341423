package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.settings.AnalyzerSettings;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamsSettingsTest {

    @ParameterizedTest
    @CsvSource({"8, 1, 5", "32, 1, 16", "128, 1, 64", "128, 2, 32", "512, 1, 250", "2000, 4, 250"})
    void poll_manyTasksOfAThread_isLonger(int tasks, int threads, long millis) {
        assertThat(StreamsSettings.poll(analyzer(threads), tasks)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 500", "25, 1, 500", "128, 1, 2560", "128, 4, 640", "512, 1, 5000", "2000, 4, 5000"})
    void poll_manyTasksOfAThread_returnsMoreRecords(int tasks, int threads, int records) {
        assertThat(StreamsSettings.pollRecords(analyzer(threads), tasks)).isEqualTo(records);
    }

    private static AnalyzerSettings analyzer(int threads) {
        return new AnalyzerSettings(
                "one", Path.of("state"), threads, 0, false, 5, 200, 60_000, 5_000, 30_000, 600_000, 128 << 20);
    }
}
