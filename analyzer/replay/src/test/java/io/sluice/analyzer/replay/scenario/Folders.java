package io.sluice.analyzer.replay.scenario;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of {@code examples/scenarios}, and what a user sees of them. */
final class Folders {
    static final Path ROOT = Path.of("..", "..", "examples", "scenarios");

    private Folders() {}

    /** The names of all of them. */
    static List<String> all() {
        try (Stream<Path> found = Files.list(ROOT)) {
            return found.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String scenario, String file) {
        try {
            return Files.readString(ROOT.resolve(scenario).resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a run ended with and printed. */
    record Run(int status, String out, String err) {}

    static Run run(Path folder) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = ScenarioRun.of(folder, new PrintWriter(out), new PrintWriter(err));
        return new Run(status, out.toString(), err.toString());
    }
}
