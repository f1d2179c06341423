package io.sluice.benchmarks.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimedTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void aProgramTakesTime() throws Exception {
        assertThat(Timed.seconds(List.of("sh", "-c", "true"), folder, PATIENCE)).isBetween(0.0, 30.0);
    }

    @Test
    void oneThatFailsIsToldWithWhatItSaid() {
        assertThatThrownBy(() -> Timed.seconds(List.of("sh", "-c", "echo no such log; exit 3"), folder, PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended with 3")
                .hasMessageContaining("no such log");
    }

    @Test
    void oneThatTakesTooLongIsEnded() {
        assertThatThrownBy(() ->
                        Timed.seconds(List.of("sh", "-c", "exec tail -f /dev/null"), folder, Duration.ofMillis(50)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("took longer");
    }
}
