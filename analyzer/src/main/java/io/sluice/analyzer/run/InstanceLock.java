package io.sluice.analyzer.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second process of the same instance out of the state directory. The system frees it when a process dies. */
final class InstanceLock implements AutoCloseable {
    private final FileChannel channel;

    private InstanceLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws CannotStart when another process has it, or when nothing can be written there */
    static InstanceLock take(Path directory, String instance) throws CannotStart {
        FileChannel channel;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(
                    directory.resolve("sluice.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new CannotStart("analyzer.state-dir: can't write to " + directory + ": " + e);
        }
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new InstanceLock(channel);
            }
        } catch (OverlappingFileLockException | IOException e) {
            // the same answer as when another process has it: below
        }
        closeQuietly(channel);
        throw new CannotStart("analyzer.instance: an analyzer '" + instance + "' is already running with its state in "
                + directory + "; stop it first, or give this one another analyzer.instance");
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
