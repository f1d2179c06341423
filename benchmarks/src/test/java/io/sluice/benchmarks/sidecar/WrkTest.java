package io.sluice.benchmarks.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrkTest {
    @Test
    void itsRateIsRead() throws IOException {
        assertThat(Wrk.told("  123 requests in 2.10s, 7.72KB read\nRequests/sec:  41234.56\nTransfer/sec:   2.1MB\n"))
                .isEqualTo(41234.56);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unable to connect to 127.0.0.1:1 Connection refused",
                "  Non-2xx or 3xx responses: 17\nRequests/sec:  1.0",
                "  Socket errors: connect 0, read 3, write 0, timeout 0\nRequests/sec:  1.0"
            })
    void wrongAnswersAreNoRate(String said) {
        assertThatThrownBy(() -> Wrk.told(said)).isInstanceOf(IOException.class).hasMessageContaining(said);
    }

    @Test
    void whereAProgramIsMissingTheRemedyIsTold(@TempDir Path folder) throws IOException {
        Path program = Files.createFile(folder.resolve("wrk"));

        assertThatThrownBy(() -> Program.find("wrk", "/no/such/place:" + folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("apt-get install wrk");

        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(Program.find("wrk", "/no/such/place:" + folder)).isEqualTo(program);
    }
}
