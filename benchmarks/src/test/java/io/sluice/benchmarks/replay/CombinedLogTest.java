package io.sluice.benchmarks.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CombinedLogTest {
    private static final int LINES = 5_000;

    @TempDir
    Path folder;

    @Test
    void itIsTheSameAtEachWriting() throws IOException {
        assertThat(written("one")).isEqualTo(written("another")).hasSize(LINES);
    }

    @Test
    void everyLineIsAnEvent() throws IOException, MalformedRecord {
        LogFormat format = LogFormats.of(new SourceSettings(
                "log", "combined", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of()));

        for (String line : written("log")) {
            assertThat(format.read(line.getBytes(StandardCharsets.US_ASCII)).caller())
                    .isNotEmpty();
        }
    }

    @Test
    void oneCallerMakesATenthOfIt() throws IOException {
        assertThat(written("log"))
                .filteredOn(line -> line.startsWith(CombinedLog.BUSY + " "))
                .hasSizeBetween(LINES * 8 / 100, LINES * 12 / 100);
    }

    private List<String> written(String name) throws IOException {
        Path file = folder.resolve(name);
        CombinedLog.write(file, LINES);
        return Files.readAllLines(file);
    }
}
