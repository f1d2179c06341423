package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;

/** A command that watches until it is closed, and what it has shown so far. */
record WatchedCommand(Thread thread, StringWriter out) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    static WatchedCommand start(String... arguments) {
        StringWriter out = new StringWriter();
        Thread thread = new Thread(() -> SluiceCommand.commandLine(arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(arguments));
        thread.start();
        return new WatchedCommand(thread, out);
    }

    void shows(String text) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(out.toString()).contains(text));
    }

    /** Waits until it has shown the text so many times. */
    void shows(String text, int times) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(out.toString().split(text, -1)).hasSizeGreaterThan(times));
    }

    /** As Ctrl-C does. */
    @Override
    public void close() {
        thread.interrupt();
        await().atMost(PATIENCE).until(() -> !thread.isAlive());
    }
}
