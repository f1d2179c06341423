package io.sluice.analyzer.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.errors.LockException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.TaskId;

/**
 * State that can't be opened. Kafka Streams opens all stores at start and throws the error of one of them, again at every
 * start; the changelogs hold everything, so the broken task's directory can go.
 */
final class CorruptState {
    private static final Pattern TASK = Pattern.compile("(?:^|[/\\\\\\s\\[])(\\d+_\\d+)(?=[/\\\\\\s\\]:]|$)");

    private static final List<String> DISK_FULL = List.of("No space left on device", "Disk quota exceeded");

    /** The system's errors when it can't open or use a file that may be whole. */
    private static final List<String> NOT_THE_FILE = List.of(
            "Too many open files",
            "Permission denied",
            "Operation not permitted",
            "Read-only file system",
            "Cannot allocate memory",
            "Resource temporarily unavailable",
            "No locks available");

    private CorruptState() {}

    /** Returns whether there is no room for state: nothing is broken then, and deleting it would only make more work. */
    static boolean diskFull(Throwable failure) {
        return causes(failure).anyMatch(cause -> says(cause, DISK_FULL));
    }

    /** Returns whether state failed for a reason that deleting it would not mend: the broker, the system's limits, rights. */
    private static boolean foreign(Throwable cause) {
        boolean broker = cause instanceof KafkaException && !(cause instanceof StreamsException);
        return broker || cause instanceof LockException || says(cause, NOT_THE_FILE);
    }

    private static boolean says(Throwable cause, List<String> reasons) {
        String message = String.valueOf(cause.getMessage());
        return reasons.stream().anyMatch(message::contains);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /**
     * The directory of the task whose state is broken; nothing for any other failure, or when the task is not known. The
     * innermost exception that names a task counts: the outer ones may name the task that was being committed.
     */
    static Optional<Path> taskDirectory(Throwable failure, Path applicationDirectory) {
        boolean state = causes(failure).anyMatch(ProcessorStateException.class::isInstance);
        if (!state || diskFull(failure) || causes(failure).anyMatch(CorruptState::foreign)) {
            return Optional.empty();
        }
        return causes(failure)
                .flatMap(cause -> task(cause).stream())
                .reduce((outer, inner) -> inner)
                .map(applicationDirectory::resolve);
    }

    private static Optional<String> task(Throwable cause) {
        if (cause instanceof StreamsException streams && streams.taskId().isPresent()) {
            return streams.taskId().map(TaskId::toString);
        }
        Matcher named = TASK.matcher(String.valueOf(cause.getMessage()));
        return named.find() ? Optional.of(named.group(1)) : Optional.empty();
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
