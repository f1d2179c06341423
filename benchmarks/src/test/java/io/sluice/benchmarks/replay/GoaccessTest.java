package io.sluice.benchmarks.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoaccessTest {

    @TempDir
    Path folder;

    @Test
    void whereItIsMissingTheRemedyIsTold() {
        assertThatThrownBy(() -> Goaccess.find(folder.toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("apt-get install goaccess");
    }

    @Test
    void itIsFoundOnThePath() throws IOException {
        Path program = Files.createFile(folder.resolve("goaccess"));
        assertThat(program.toFile().setExecutable(true)).isTrue();

        Goaccess found = Goaccess.find("/no/such/place:" + folder);

        assertThat(found.command(Path.of("access.log"))).startsWith(program.toString(), "access.log");
    }

    @Test
    void itsReportSaysHowManyLinesItHasRead() throws IOException {
        Files.writeString(folder.resolve("goaccess.json"), "{\"general\": {\"valid_requests\": 1234, \"failed\": 5}}");

        assertThat(Goaccess.counted(folder)).hasValue(1234L);
    }

    @Test
    void anotherReportSaysNothing() throws IOException {
        Files.writeString(folder.resolve("goaccess.json"), "{}");

        assertThat(Goaccess.counted(folder)).isEmpty();
    }
}
