package io.sluice.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("server")
class SignalTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void stop_processWithBusyThreads_allStandStillWhenItReturns() throws Exception {
        Process busy = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        Path.of(SignalTest.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString(),
                        Busy.class.getName())
                .start();
        try (var output = busy.inputReader()) {
            output.readLine();
            for (int i = 0; i < 50; i++) {
                Signal.STOP.send(busy.pid());

                assertThat(states(busy.pid())).containsOnly("T");

                Signal.CONT.send(busy.pid());
            }
        } finally {
            busy.destroyForcibly();
        }
    }

    private static List<String> states(long pid) throws IOException {
        List<String> states = new ArrayList<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                states.add(stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1));
            }
        }
        return states;
    }

    /** Computes on eight threads, for ten minutes at most. */
    static final class Busy {
        private Busy() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] args) {
            long end = System.nanoTime() + 600_000_000_000L;
            for (int i = 0; i < 8; i++) {
                new Thread(() -> {
                            while (System.nanoTime() < end) {
                                Thread.onSpinWait();
                            }
                        })
                        .start();
            }
            System.out.println("ready");
        }
    }
}
