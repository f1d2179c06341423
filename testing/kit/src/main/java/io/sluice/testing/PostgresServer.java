package io.sluice.testing;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL on loopback with an empty data directory, which ends when it is closed and when this process ends. The binaries are Debian's
 * {@code postgresql}; as root, which PostgreSQL refuses, it runs as the user {@code postgres} of that package.
 */
public final class PostgresServer implements StoreServer {
    /** The password of the superuser {@code postgres}. */
    public static final String PASSWORD = "swordfish";

    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private final Path folder;
    private final int port;
    private final List<String> options;
    private Process process;

    private PostgresServer(Path folder, int port, List<String> options) throws IOException {
        this.folder = folder;
        this.port = port;
        this.options = options;
        Files.writeString(folder.resolve("password"), PASSWORD);
        if (ROOT) {
            run(List.of("chown", "-R", "postgres", folder.toString()));
        }
        run(as(List.of(
                bin() + "/initdb",
                "-D",
                folder + "/data",
                "-U",
                "postgres",
                "--pwfile=" + folder + "/password",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync")));
        process = launch();
    }

    /** Skips a test where the binaries are missing, with a word; fails it in CI. */
    public static void needed() {
        if (bin() == null) {
            String missing = "postgresql is not installed (Debian: apt-get install postgresql): this test did not run";
            if ("true".equals(System.getenv("CI"))) {
                fail(missing);
            }
            abort(missing);
        }
    }

    /**
     * Creates a database cluster below the temporary folder and starts a server.
     *
     * @param options further settings, such as {@code log_statement=all}
     * @return once it accepts connections
     */
    public static PostgresServer start(String... options) {
        try {
            return new PostgresServer(Files.createTempDirectory("sluice-postgres-"), FreePort.next(), List.of(options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() throws IOException {
        // the shell reads our end of a pipe, and so notices when this process has ended, however it did
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "exec 3<&0; \"$@\" </dev/null & server=$!; (cat <&3 >/dev/null; kill -QUIT $server 2>/dev/null) & wait $server",
                "sh",
                bin() + "/postgres",
                "-D",
                folder + "/data",
                "-p",
                String.valueOf(port),
                "-h",
                "127.0.0.1",
                "-k",
                folder.toString(),
                "-c",
                "max_connections=200",
                "-c",
                "shared_buffers=64MB"));
        options.forEach(option -> command.addAll(List.of("-c", option)));
        Path log = folder.resolve("log");
        Process started = new ProcessBuilder(as(command))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Awaitility.await("postgres to accept connections")
                .atMost(Duration.ofMinutes(2))
                .until(() -> {
                    String said = Files.readString(log);
                    if (!started.isAlive()) {
                        throw new IOException("postgres ended: " + said);
                    }
                    return said.contains("ready to accept connections");
                });
        return started;
    }

    /** Returns the JDBC URL of its database {@code postgres}; user and password are {@code postgres} and {@link #PASSWORD}. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Returns where it listens. */
    public int port() {
        return port;
    }

    /** Returns the topmost of its processes: a shell that is the parent of the server. Another one after each restart. */
    @Override
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Returns a file with {@link #PASSWORD}. */
    public Path passwordFile() {
        return folder.resolve("password");
    }

    /** Ends it as a crash does: all processes at once, nothing written. */
    @Override
    public void kill() {
        signal("KILL");
        await(process);
        closeInput();
    }

    /** Starts it again with the same data. */
    @Override
    public void restart() {
        try {
            Files.deleteIfExists(folder.resolve("data/postmaster.pid"));
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void freeze() {
        signal("STOP");
    }

    @Override
    public void thaw() {
        signal("CONT");
    }

    private void signal(String signal) {
        // twice: a child that the server made meanwhile is found when the server itself makes no more of them
        for (int i = 0; i < 2; i++) {
            List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
            process.descendants().filter(child -> !isWatch(child)).forEach(child -> command.add("" + child.pid()));
            if (command.size() > 2) {
                execute(command);
            }
        }
    }

    private void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy();
        }
    }

    private static boolean isWatch(ProcessHandle child) {
        return !child.info().command().orElse("postgres").endsWith("postgres");
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            thaw();
            closeInput();
            await(process);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(PostgresServer::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(Process process) {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> as(List<String> command) {
        List<String> all = new ArrayList<>();
        if (ROOT) {
            all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        all.addAll(command);
        return all;
    }

    private void run(List<String> command) throws IOException {
        if (execute(command) != 0) {
            throw new IOException(String.join(" ", command) + ": " + Files.readString(folder.resolve("output")));
        }
    }

    private int execute(List<String> command) {
        try {
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            await(started);
            return started.exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns where the binaries are: on the path, or where Debian puts the newest version; null if nowhere. */
    private static @Nullable String bin() {
        Stream<Path> onPath = Stream.of(System.getenv("PATH").split(":")).map(Path::of);
        return Stream.concat(onPath, versions())
                .filter(bin -> Files.isExecutable(bin.resolve("postgres")) && Files.isExecutable(bin.resolve("initdb")))
                .map(Path::toString)
                .findFirst()
                .orElse(null);
    }

    private static Stream<Path> versions() {
        if (!Files.isDirectory(DEBIAN)) {
            return Stream.of();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions
                    .sorted(Comparator.comparing((Path version) ->
                                    version.getFileName().toString().length())
                            .thenComparing(Comparator.naturalOrder())
                            .reversed())
                    .map(version -> version.resolve("bin"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            return Stream.of();
        }
    }
}
