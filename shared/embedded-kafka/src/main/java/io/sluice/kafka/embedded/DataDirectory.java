package io.sluice.kafka.embedded;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder with the broker's data, held by one broker at a time.
 *
 * <p>Kafka locks its folder too, but only after the controller has begun to write to the metadata log in it; a second
 * broker would have done its damage by then.
 */
final class DataDirectory implements AutoCloseable {

    private static final String LOCK_FILE = "broker.lock";

    private final Path path;
    private final boolean temporary;
    private final FileChannel lock;

    private DataDirectory(Path path, boolean temporary, FileChannel lock) {
        this.path = path;
        this.temporary = temporary;
        this.lock = lock;
    }

    /**
     * Takes the folder, making it where it is missing.
     *
     * @param kept the folder to keep, null for a temporary one that {@link #close()} deletes
     * @throws KafkaStartException when another broker holds it, or when it cannot be written
     */
    static DataDirectory open(@Nullable Path kept) {
        try {
            Path path =
                    kept == null ? temporary() : Files.createDirectories(kept).toRealPath();
            return new DataDirectory(path, kept == null, lock(path));
        } catch (IOException failure) {
            throw new KafkaStartException("data directory " + kept + " cannot be used: " + failure, failure);
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK_FILE), CREATE, READ, WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                channel.truncate(0);
                channel.write(StandardCharsets.US_ASCII.encode(
                        Long.toString(ProcessHandle.current().pid())));
                return channel;
            }
        } catch (OverlappingFileLockException heldHere) {
            // the other broker is in this very process
        }
        String holder = holder(channel);
        channel.close();
        throw new KafkaStartException("data directory " + path + " is in use by another broker (process " + holder
                + "); stop it or choose another directory");
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(20);
        channel.read(pid, 0);
        return StandardCharsets.US_ASCII.decode(pid.flip()).toString();
    }

    Path path() {
        return path;
    }

    /** Lets go of the folder; a temporary one is deleted. */
    @Override
    public void close() {
        try {
            lock.close();
            if (temporary) {
                delete(path);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("data directory " + path + " cannot be released", failure);
        }
    }

    /** A new folder, to be deleted by the caller. */
    static Path temporary() throws IOException {
        return Files.createTempDirectory("sluice-kafka-");
    }

    /** Deletes a folder with all that is in it. */
    static void delete(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(folder)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }
}
