package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.RequestEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that is still written to while it is replayed. */
class OrderedLogTest {
    @TempDir
    Path folder;

    private final Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false);
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("log");
    }

    private static LogFormat format() {
        return LogFormats.of(FormatGuess.source("json", List.of()));
    }

    private static String line(long time) {
        return "{\"time\":" + time + ",\"caller\":\"acme\"}\n";
    }

    private LogFile log() throws IOException {
        return LogFile.of(file.toString(), InputStream.nullInputStream());
    }

    private static List<Long> times(OrderedLog log) throws IOException {
        List<Long> times = new ArrayList<>();
        for (RequestEvent event = log.next(); event != null; event = log.next()) {
            times.add(event.time());
        }
        return times;
    }

    /** The first reading counts half a line as unreadable; the report must not count its request, too. */
    @ParameterizedTest
    @ValueSource(longs = {1_000, 7_000, 9_000})
    void lineThatIsCompletedBetweenTheReadings_isLeftOut(long time) throws Exception {
        String torn = line(time);
        Files.writeString(file, line(5_000) + "\n" + line(8_000) + line(6_000) + torn.substring(0, 20));
        DeadLetters dead = new DeadLetters();
        Survey survey = Survey.of(log(), format(), dead, progress::line);
        assertThat(dead.count()).isEqualTo(2);
        Files.writeString(file, torn.substring(20) + line(9_500), StandardOpenOption.APPEND);

        try (OrderedLog ordered =
                new OrderedLog(log(), format(), survey.disorder(), survey.events(), 10_000, progress)) {
            assertThat(times(ordered)).containsExactly(5_000L, 6_000L, 8_000L);
        }
    }

    /** An earlier event than the one before would end the replay. */
    @Test
    void eventFurtherOutOfOrderThanAtTheFirstReading_isLeftOut() throws Exception {
        Files.writeString(file, line(5_000) + line(8_000) + line(6_999) + line(7_000) + line(9_000));

        try (OrderedLog ordered = new OrderedLog(log(), format(), 1_000, 5, 10_000, progress)) {
            assertThat(times(ordered)).containsExactly(5_000L, 7_000L, 8_000L, 9_000L);
        }
    }

    @Test
    void logThatGotShorter_endsAtItsEnd() throws Exception {
        Files.writeString(file, line(5_000));

        try (OrderedLog ordered = new OrderedLog(log(), format(), 0, 3, 10_000, progress)) {
            assertThat(times(ordered)).containsExactly(5_000L);
        }
    }
}
