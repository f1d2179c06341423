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
        AnalyzerSettings analyzer = new AnalyzerSettings(
                "one", Path.of("state"), threads, 0, false, 5, 200, 60_000, 5_000, 30_000, 600_000, 128 << 20);

        assertThat(StreamsSettings.poll(analyzer, tasks)).isEqualTo(millis);
    }
}
