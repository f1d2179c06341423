package io.sluice.analyzer.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps a second process of the same instance out of the state directory. The system frees it when a process dies. */
final class InstanceLock implements AutoCloseable {
    private final FileChannel channel;
    private final Path file;
    /** Identifies the file on its file system; {@code null} where files have no such key. */
    private final @Nullable Object key;

    private InstanceLock(FileChannel channel, Path file) throws IOException {
        this.channel = channel;
        this.file = file;
        key = key(file);
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /** Returns whether the locked file is still where it was created: false when it was deleted or replaced. */
    boolean inPlace() {
        try {
            return Objects.equals(key, key(file));
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            // a directory that can't be read now may be readable later
            return true;
        }
    }

    /** @throws CannotStart when another process has it, or when nothing can be written there */
    static InstanceLock take(Path directory, String instance) throws CannotStart {
        Path file = directory.resolve("sluice.lock");
        FileChannel channel;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new CannotStart("analyzer.state-dir: can't write to " + directory + ": " + reason(e));
        }
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new InstanceLock(channel, file);
            }
        } catch (OverlappingFileLockException e) {
            // the same answer as when another process has it: below
        } catch (IOException e) {
            closeQuietly(channel);
            throw new CannotStart("analyzer.state-dir: can't lock " + file + ": " + e.getMessage()
                    + "; it needs a file system with locks");
        }
        closeQuietly(channel);
        throw new CannotStart("analyzer.instance: an analyzer '" + instance + "' is already running with its state in "
                + directory + "; stop it first, or give this one another analyzer.instance");
    }

    /** The messages of these exceptions are paths, sometimes with the system's reason behind. */
    private static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return failure.getMessage() + " is a file";
        }
        return failure instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : failure.toString();
    }

    @Override
    public void close() {
        closeQuietly(channel);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // nothing was written that could be lost
        }
    }
}
