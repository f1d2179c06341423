package io.sluice.demo.view;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How large the terminal is, asked anew every two seconds, for people pull at windows. Not thread-safe. */
final class TerminalSize {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int LEAST_COLUMNS = 20;
    private static final int LEAST_ROWS = 14;

    private int columns;
    private int rows;
    private long asked;
    private boolean known;

    TerminalSize(Map<String, String> environment) {
        columns = number(environment.get("COLUMNS"), 80);
        rows = number(environment.get("LINES"), 24);
    }

    int columns() {
        return columns;
    }

    int rows() {
        return rows;
    }

    /** Asks the terminal, if the last answer is old. */
    void look() {
        if (known && System.nanoTime() - asked < EVERY_NANOS) {
            return;
        }
        known = true;
        asked = System.nanoTime();
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            String[] parts = answer.strip().split(" ", 2);
            if (parts.length == 2) {
                rows = Math.max(LEAST_ROWS, number(parts[0], rows));
                columns = Math.max(LEAST_COLUMNS, number(parts[1], columns));
            }
        } catch (IOException e) {
            // no such command here: what is known stays
            return;
        }
    }

    private static int number(@org.jspecify.annotations.Nullable String text, int otherwise) {
        try {
            int number = text == null ? 0 : Integer.parseInt(text.strip());
            return number > 0 ? number : otherwise;
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
