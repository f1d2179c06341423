package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFileTest {
    /** As editors and exports of Windows write it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void byteOrderMark_isNotPartOfTheFirstLine(boolean compressed, @TempDir Path folder) throws IOException {
        Path log = folder.resolve("bom.log");
        try (OutputStream file = Files.newOutputStream(log);
                OutputStream out = compressed ? new GZIPOutputStream(file) : file) {
            out.write("\ufefffirst\nsecond\n".getBytes(StandardCharsets.UTF_8));
        }

        try (Lines lines =
                LogFile.of(log.toString(), InputStream.nullInputStream()).lines()) {
            assertThat(lines.next()).asString(StandardCharsets.UTF_8).isEqualTo("first");
        }
    }

    @TempDir
    Path folder;

    private static List<String> lines(LogFile log) throws IOException {
        List<String> all = new ArrayList<>();
        try (Lines lines = log.lines()) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                all.add(new String(line, StandardCharsets.UTF_8));
            }
        }
        return all;
    }

    private LogFile file(String text) throws IOException {
        Path file = folder.resolve("a.log");
        Files.writeString(file, text);
        return LogFile.of(file.toString(), InputStream.nullInputStream());
    }

    @Test
    void aFileIsCutAtItsLineFeeds() throws Exception {
        assertThat(lines(file("one\n\ntwo\r\nthree"))).containsExactly("one", "", "two\r", "three");
        assertThat(lines(file("one\n"))).containsExactly("one");
        assertThat(lines(file("\n"))).containsExactly("");
        assertThat(lines(file(""))).isEmpty();
    }

    @Test
    void aPipe_isReadOnce_andCanBeReplayedAgain() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Thread writer = new Thread(() -> {
            try {
                Files.write(pipe, List.of("one", "two"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.start();

        try (LogFile log = LogFile.of(pipe.toString(), InputStream.nullInputStream())) {
            assertThat(log.name()).isEqualTo(pipe.toString());
            assertThat(lines(log)).containsExactly("one", "two");
            assertThat(lines(log)).containsExactly("one", "two");
        }
        writer.join();
    }

    @Test
    void aLineMayCrossTheBuffersEnd() throws Exception {
        String line = "x".repeat(40_000);

        assertThat(lines(file(line + "\n" + line + "\n" + line))).containsExactly(line, line, line);
    }

    @Test
    void ofAnEndlessLineOnlyTheBeginningIsKept() throws Exception {
        List<String> lines = lines(file("x".repeat(300_000) + "\nnext"));

        assertThat(lines.get(0)).hasSize(65_537);
        assertThat(lines.get(1)).isEqualTo("next");
    }

    @Test
    void aCompressedLogIsKnownByItsFirstBytes() throws Exception {
        Path file = folder.resolve("no-extension");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(lines(LogFile.of(file.toString(), InputStream.nullInputStream())))
                .containsExactly("one", "two");
    }

    @Test
    void standardInputCanBeReadTwiceAndLeavesNothing() throws Exception {
        LogFile log = LogFile.of("-", new ByteArrayInputStream("one\ntwo".getBytes(StandardCharsets.UTF_8)));

        assertThat(lines(log)).containsExactly("one", "two");
        assertThat(lines(log)).containsExactly("one", "two");

        log.close();

        assertThat(log.path()).doesNotExist();
    }

    @Test
    void whatIsNoFileIsRefusedByName() {
        assertThatThrownBy(() -> LogFile.of(folder.toString(), InputStream.nullInputStream()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString());
    }
}
