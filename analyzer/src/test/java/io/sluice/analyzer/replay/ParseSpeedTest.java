package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.json.MalformedRecord;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Says how fast lines are read; how fast they must be depends on the machine, so nothing is asked of it. */
class ParseSpeedTest {
    private static final int ROUNDS = 300;

    @ParameterizedTest
    @CsvSource({"combined, broken-in-two.log", "nginx-json, nginx.json.log"})
    void theSpeedOfParsingIsPrinted(String name, String log) throws Exception {
        List<byte[]> all = new ArrayList<>();
        try (Lines lines = LogFile.of(Replays.resource(log).toString(), InputStream.nullInputStream())
                .lines()) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                all.add(line);
            }
        }
        LogFormat format = LogFormats.of(FormatGuess.source(name, List.of()));
        events(format, all, ROUNDS);
        long start = System.nanoTime();

        long events = events(format, all, ROUNDS);

        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("parsing %s: %,.0f lines/s on one thread%n", name, all.size() * ROUNDS / seconds);
        assertThat(events).isPositive();
    }

    private static long events(LogFormat format, List<byte[]> lines, int rounds) {
        long events = 0;
        for (int round = 0; round < rounds; round++) {
            for (byte[] line : lines) {
                try {
                    events += format.read(line).count();
                } catch (MalformedRecord e) {
                    events += 0;
                }
            }
        }
        return events;
    }
}
