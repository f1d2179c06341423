package io.sluice.benchmarks.sidecar;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program of the system's that the benchmark needs. */
final class Program {
    private Program() {}

    /** @throws IOException when it is not there, with the remedy */
    static Path find(String name) throws IOException {
        return find(name, System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin");
    }

    static Path find(String name, String searched) throws IOException {
        return Arrays.stream(searched.split(Pattern.quote(File.pathSeparator), -1))
                .flatMap(folder -> folder.isEmpty() ? Stream.empty() : Stream.of(Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException(
                        "%s is not on the PATH: apt-get install %s, or the package of that name elsewhere"
                                .formatted(name, name)));
    }
}
