package io.sluice.examples.nginx;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A real nginx with the example's own files, in which only the ports are others. */
final class Nginx implements AutoCloseable {
    private static final List<String> FILES = List.of("nginx.conf", "gate.conf", "fail-open.conf", "fail-closed.conf");

    private final Process process;
    private final URI uri;
    private final Path log;

    private Nginx(Process process, URI uri, Path log) {
        this.process = process;
        this.uri = uri;
        this.log = log;
    }

    /** Fails where a build machine lacks nginx, and skips the test elsewhere. */
    static void isThere() {
        if (program() == null) {
            String missing = "nginx is not installed (Debian: apt-get install nginx): this test did not run";
            if ("true".equals(System.getenv("CI"))) {
                fail(missing);
            }
            abort(missing);
        }
    }

    private static String program() {
        // Debian has it where only root looks
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, "nginx"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse(null);
    }

    /**
     * Starts it and waits until it listens.
     *
     * @param folder an empty one
     * @param recipe fail-open.conf or fail-closed.conf
     */
    static Nginx start(Path folder, String recipe, URI sidecar, int app) throws IOException {
        return start(folder, recipe, sidecar, app, text -> text);
    }

    /** Starts it with the recipe's time-outs at 20 s, for tests of what is answered on a machine that may be busy. */
    static Nginx patient(Path folder, String recipe, URI sidecar, int app) throws IOException {
        return start(folder, recipe, sidecar, app, text -> text.replaceAll("(proxy_\\w+_timeout) \\d+ms;", "$1 20s;"));
    }

    private static Nginx start(Path folder, String recipe, URI sidecar, int app, UnaryOperator<String> change)
            throws IOException {
        int port = FreePort.next();
        for (String file : FILES) {
            String text = Files.readString(Path.of("../../examples/nginx", file))
                    .replace("127.0.0.1:8481", sidecar.getAuthority())
                    .replace("127.0.0.1:9000", "127.0.0.1:" + app)
                    .replace("127.0.0.1:8080", "127.0.0.1:" + port)
                    .replace("include fail-open.conf;", "include " + recipe + ";");
            Files.writeString(folder.resolve(file), change.apply(text));
        }
        Path log = folder.resolve("nginx.log");
        Process process = new ProcessBuilder(program(), "-p", folder + "/", "-c", "nginx.conf", "-e", "stderr")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Nginx nginx = new Nginx(process, URI.create("http://127.0.0.1:" + port), log);
        while (!listens(port)) {
            if (!process.isAlive()) {
                throw new AssertionError("nginx ended: " + nginx.log());
            }
            Thread.onSpinWait();
        }
        return nginx;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    URI uri() {
        return uri;
    }

    /** Returns what nginx has logged so far. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }

    @Override
    public void close() throws IOException {
        // SIGTERM: the master ends its workers, which a SIGKILL would leave behind
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
