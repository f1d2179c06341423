package io.sluice.testing;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program that a test runs. Where it is missing, the test is skipped with a reason; with {@code CI=true} it fails. */
public final class NeededProgram {
    private NeededProgram() {}

    /**
     * Finds a program.
     *
     * @param name of the executable
     * @param debianPackage that brings it
     * @param folders to search after those of {@code PATH}
     * @return its path
     */
    public static Path find(String name, String debianPackage, Path... folders) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(
                        Arrays.stream(path.split(Pattern.quote(File.pathSeparator), -1))
                                .filter(folder -> !folder.isEmpty())
                                .map(Path::of),
                        Arrays.stream(folders))
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> missing(name, debianPackage));
    }

    private static Path missing(String name, String debianPackage) {
        String reason = "%s is not installed (Debian: apt-get install %s): this test did not run"
                .formatted(name, debianPackage);
        if ("true".equals(System.getenv("CI"))) {
            return fail(reason);
        }
        return abort(reason);
    }
}
