package io.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real redis-server on loopback, without a file: a killed one starts empty. It ends when it is closed. */
public final class RedisServer implements StoreServer {
    private final Path program;
    private final Path folder;
    private final int port;
    private final List<String> options;
    private Process process;

    private RedisServer(Path program, Path folder, int port, List<String> options) throws IOException {
        this.program = program;
        this.folder = folder;
        this.port = port;
        this.options = options;
        process = launch();
    }

    /**
     * Starts a server. Aborts a test with a reason where the program is missing: {@link NeededProgram}.
     *
     * @param options further arguments of {@code redis-server}
     * @return once it listens
     * @throws IOException when it does not start, with its log
     */
    public static RedisServer start(String... options) throws IOException {
        Path program = NeededProgram.find("redis-server", "redis-server");
        int port = FreePort.next();
        return new RedisServer(program, Files.createTempDirectory("redis"), port, List.of(options));
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                folder.toString(),
                "--appendonly",
                "no"));
        command.addAll(options);
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("redis.log").toFile()))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!listens()) {
            if (!started.isAlive() || System.nanoTime() - end > 0) {
                started.destroyForcibly();
                throw new IOException(
                        "redis-server does not answer:\n" + Files.readString(folder.resolve("redis.log")));
            }
            Thread.onSpinWait();
        }
        return started;
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            // a socket whose own port is the one it asks for connects to itself
            return socket.getLocalPort() != port;
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * Returns where it listens.
     *
     * @return the same before and after a restart
     */
    public int port() {
        return port;
    }

    /**
     * Returns where clients find it.
     *
     * @return {@code redis://127.0.0.1:PORT}
     */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Starts it again, empty. */
    @Override
    public void restart() throws IOException {
        process = launch();
    }

    @Override
    public void close() throws IOException {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(RedisServer::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
