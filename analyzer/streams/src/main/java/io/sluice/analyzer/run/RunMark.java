package io.sluice.analyzer.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file that is there while an analyzer runs, and left behind by one that was killed.
 *
 * <p>Under exactly-once the state of a killed analyzer is worth nothing: it may hold what was never committed. Kafka Streams
 * deletes it and rebuilds it from the changelogs, but while it does so in 4.3.1 a window store may come back with a segment
 * that stays closed, and the stream dies ("Store … is currently closed", KAFKA-20808). So it is deleted before Kafka Streams
 * sees it.
 */
final class RunMark {
    private static final Pattern TASK = Pattern.compile("\\d+_\\d+");

    private final Path file;
    private final Path applicationDirectory;

    RunMark(Path stateDirectory, Path applicationDirectory) {
        this.file = stateDirectory.resolve("running");
        this.applicationDirectory = applicationDirectory;
    }

    /**
     * Marks that a run begins.
     *
     * @param exactlyOnce whether what a killed one left is to be deleted
     * @return the directories of tasks that were deleted
     */
    List<Path> begin(boolean exactlyOnce) {
        try {
            List<Path> left = exactlyOnce && Files.exists(file) ? tasks() : List.of();
            left.forEach(CorruptState::wipe);
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[0]);
            return left;
        } catch (IOException e) {
            throw new UncheckedIOException("can't begin in the state directory " + file.getParent(), e);
        }
    }

    private List<Path> tasks() throws IOException {
        if (!Files.isDirectory(applicationDirectory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(applicationDirectory)) {
            return all.filter(
                            path -> TASK.matcher(path.getFileName().toString()).matches())
                    .toList();
        }
    }

    /** Marks that it ended in order. */
    void end() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("can't delete " + file, e);
        }
    }
}
