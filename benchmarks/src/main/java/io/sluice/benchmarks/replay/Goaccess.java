package io.sluice.benchmarks.replay;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Debian's program that counts access logs: who, what, when, how often. It decides nothing. */
final class Goaccess {
    private static final String REPORT = "goaccess.json";
    private static final Pattern VALID = Pattern.compile("\"valid_requests\":\\s*(\\d+)");

    private final Path program;

    private Goaccess(Path program) {
        this.program = program;
    }

    /** @throws IOException when it is not there, with the remedy */
    static Goaccess find(String searched) throws IOException {
        return Arrays.stream(searched.split(Pattern.quote(File.pathSeparator), -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "goaccess"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Goaccess::new)
                .orElseThrow(
                        () -> new IOException(
                                "goaccess is not on the PATH: apt-get install goaccess, or the package of that name elsewhere"));
    }

    /** Counts a log in the combined format; the report goes to a file in the working directory. */
    List<String> command(Path log) {
        return List.of(
                program.toString(),
                log.toString(),
                "--log-format=COMBINED",
                "--no-global-config",
                "--no-progress",
                "-o",
                REPORT);
    }

    /** How many lines it has read, as its report in this folder says. */
    static Optional<Long> counted(Path folder) throws IOException {
        Matcher found = VALID.matcher(Files.readString(folder.resolve(REPORT)));
        return found.results().findFirst().map((MatchResult result) -> Long.valueOf(result.group(1)));
    }
}
