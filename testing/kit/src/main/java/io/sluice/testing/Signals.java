package io.sluice.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Signals to a process and its children. */
public final class Signals {
    private Signals() {}

    /**
     * Stops a process and its descendants: SIGSTOP.
     *
     * @param process a live one
     * @throws IOException when the signal cannot be sent
     */
    public static void stop(ProcessHandle process) throws IOException {
        send("-STOP", process);
    }

    /**
     * Continues a process and its descendants: SIGCONT.
     *
     * @param process a live one
     * @throws IOException when the signal cannot be sent
     */
    public static void resume(ProcessHandle process) throws IOException {
        send("-CONT", process);
    }

    private static void send(String signal, ProcessHandle process) throws IOException {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        Stream.concat(Stream.of(process), process.descendants())
                .forEach(each -> command.add(Long.toString(each.pid())));
        Process kill = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            // 1 when a descendant ended meanwhile
            kill.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
