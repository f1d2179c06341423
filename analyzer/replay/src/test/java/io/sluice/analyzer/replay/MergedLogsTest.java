package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergedLogsTest {
    @TempDir
    Path folder;

    private final Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false);

    private record Line(long time, String caller) {}

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "3, 50", "4, 100000"})
    void severalLogsBecomeOneInTheOrderOfTimeWhateverTheirDisorder(long seed, int disorder) throws Exception {
        Random random = new Random(seed);
        List<Line> expected = new ArrayList<>();
        List<OrderedLog> logs = new ArrayList<>();
        for (int log = 0; log < 3; log++) {
            List<Line> lines = lines(random, log, disorder);
            expected.addAll(lines);
            logs.add(ordered("log" + log, lines));
        }
        // stable: equal times stay in the order of logs and lines
        expected.sort(Comparator.comparingLong(Line::time));

        List<Line> merged = new ArrayList<>();
        MergedLogs all = new MergedLogs(logs);
        for (RequestEvent event = all.next(); event != null; event = all.next()) {
            merged.add(new Line(event.time(), event.caller()));
        }

        assertThat(merged).isEqualTo(expected);
    }

    private static List<Line> lines(Random random, int log, int disorder) {
        List<Line> lines = new ArrayList<>();
        long time = 1_000_000;
        for (int i = 0; i < 2000; i++) {
            time += random.nextInt(5);
            lines.add(new Line(time - (disorder == 0 ? 0 : random.nextInt(disorder + 1)), log + "-" + i));
        }
        return lines;
    }

    private OrderedLog ordered(String name, List<Line> lines) throws IOException {
        Path file = folder.resolve(name);
        StringBuilder text = new StringBuilder("not an event\n");
        for (Line line : lines) {
            text.append("{\"time\":")
                    .append(line.time())
                    .append(",\"caller\":\"")
                    .append(line.caller())
                    .append("\"}\n");
        }
        Files.writeString(file, text);
        LogFile log = LogFile.of(file.toString(), InputStream.nullInputStream());
        DeadLetters dead = new DeadLetters();
        Survey survey = Survey.of(log, LogFormats.of(FormatGuess.source("json", List.of())), dead, progress::line);
        assertThat(survey.events()).isEqualTo(lines.size());
        assertThat(dead.count()).isEqualTo(1);
        // the log is still written to, by a process that is far behind
        Files.writeString(file, "{\"time\":1,\"caller\":\"late\"}\n", StandardOpenOption.APPEND);
        return new OrderedLog(
                log,
                LogFormats.of(FormatGuess.source("json", List.of())),
                survey.disorder(),
                survey.events(),
                10_000,
                progress);
    }
}
