package io.sluice.faults.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeTimeTest {
    @TempDir
    Path folder;

    /** Tells both clocks, milliseconds, whenever it is asked. */
    static final class Clocks {
        private Clocks() {}

        public static void main(String[] arguments) throws IOException {
            while (System.in.read() >= 0) {
                System.out.println("= wall=" + System.currentTimeMillis() + " mono=" + System.nanoTime() / 1_000_000);
            }
        }
    }

    @Test
    void aStepMovesTheWallClockOfARunningProcessAndNotItsMonotonicOne() {
        FakeTime time = Needs.present(FakeTime.in(folder), "libfaketime");
        try (JavaProcess process = JavaProcess.start(
                new JavaProcess.Spec("clocks", folder, Clocks.class, List.of(), List.of()).with(time.environment()))) {
            String before = process.ask("", Duration.ofMinutes(2));
            time.step(Duration.ofHours(-1));
            String after = process.ask("", Duration.ofMinutes(2));

            long hour = Duration.ofHours(1).toMillis();
            assertThat(AgentProcess.number(before, "wall") - AgentProcess.number(after, "wall"))
                    .isBetween(hour - 600_000, hour);
            assertThat(AgentProcess.number(after, "mono") - AgentProcess.number(before, "mono"))
                    .isBetween(0L, 600_000L);
        }
    }
}
