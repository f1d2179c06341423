package io.sluice.analyzer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Returns whether standard error is a terminal; output may go to a file all the same. */
final class StandardError {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private StandardError() {}

    @SuppressWarnings("SystemConsoleNull") // from Java 22 on it is never null: then progress may land in a file
    static boolean isTerminal() {
        if (!Files.isSymbolicLink(STANDARD_ERROR)) {
            return System.console() != null;
        }
        try {
            String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }
}
