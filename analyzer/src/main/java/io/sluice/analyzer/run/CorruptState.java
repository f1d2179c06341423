package io.sluice.analyzer.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * State that can't be opened. Kafka Streams opens all stores at start and throws what one of them says, again at every
 * start; the changelogs hold everything, so the broken task's directory can go.
 */
final class CorruptState {
    private static final Pattern TASK = Pattern.compile("(?:^|[/\\\\\\s\\[])(\\d+_\\d+)(?=[/\\\\\\s\\]:]|$)");

    private CorruptState() {}

    /** Whether there is no room for state: nothing is broken then, and deleting it would only make more work. */
    static boolean diskFull(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (message.contains("No space left on device") || message.contains("Disk quota exceeded")) {
                return true;
            }
        }
        return false;
    }

    /** The directory of the task whose state is broken, if that is what went wrong and it can be told from it. */
    static Optional<Path> taskDirectory(Throwable failure, Path applicationDirectory) {
        if (diskFull(failure)) {
            return Optional.empty();
        }
        boolean state = false;
        String task = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            state |= cause instanceof ProcessorStateException;
            if (task == null
                    && cause instanceof StreamsException streams
                    && streams.taskId().isPresent()) {
                task = streams.taskId().get().toString();
            }
            if (task == null && cause.getMessage() != null) {
                Matcher found = TASK.matcher(cause.getMessage());
                task = found.find() ? found.group(1) : null;
            }
        }
        return state && task != null ? Optional.of(applicationDirectory.resolve(task)) : Optional.empty();
    }

    /** Deletes a directory with all that is in it, or what stands in its place. */
    static void wipe(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't delete the broken state in " + directory, e);
        }
    }
}
