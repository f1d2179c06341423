package io.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports for servers that must be told their port. A port that the kernel picked for a socket that is closed again can be taken before the
 * server listens on it: by an outgoing connection, or by another test that got the same number. The ports here are below those of
 * outgoing connections, and each is handed out once: this JVM holds a lock on a file shared by all test JVMs of the machine, on the
 * byte at the port's position, until it ends. Thread-safe.
 */
public final class FreePort {
    private static final int FIRST = 10_000;
    /** Outgoing connections of Linux begin at 32,768 by default, those of other systems at 49,152. */
    private static final int LIMIT = 32_768;

    private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    /** Kept, since a closed channel loses its locks. */
    private static final List<FileLock> LOCKS = new ArrayList<>();

    private static @Nullable FileChannel shared;
    private static int next;

    private FreePort() {}

    /**
     * Returns a port that is free on all addresses, and that no other call returns while this JVM runs.
     *
     * @return a port from 10,000 to 32,767
     */
    public static synchronized int next() {
        try {
            int limit = limit();
            FileChannel channel = shared;
            if (channel == null) {
                channel = FileChannel.open(file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                shared = channel;
                next = ThreadLocalRandom.current().nextInt(FIRST, limit);
            }
            for (int tried = FIRST; tried < limit; tried++) {
                int port = next;
                next = port + 1 < limit ? port + 1 : FIRST;
                if (reserve(channel, port) && unused(port)) {
                    return port;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LIMIT);
    }

    /** The first port of outgoing connections, unless an administrator moved it so low that no room is left. */
    private static int limit() throws IOException {
        if (Files.isReadable(EPHEMERAL)) {
            int first = Integer.parseInt(Files.readString(EPHEMERAL).strip().split("\\s+", 2)[0]);
            return first > FIRST + 1_000 ? Math.min(first, LIMIT) : LIMIT;
        }
        return LIMIT;
    }

    /** The file whose locks reserve ports; it stays empty. */
    static Path file() {
        return Path.of(System.getProperty("java.io.tmpdir"), "sluice-test-ports-" + System.getProperty("user.name"));
    }

    private static boolean reserve(FileChannel channel, int port) throws IOException {
        try {
            FileLock lock = channel.tryLock(port, 1, false);
            if (lock == null) {
                return false;
            }
            LOCKS.add(lock);
            return true;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static boolean unused(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
