package io.sluice.benchmarks.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for a run's state, gone with the run. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    public TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("sluice-benchmark");
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
