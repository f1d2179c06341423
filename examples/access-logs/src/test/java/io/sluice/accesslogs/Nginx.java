package io.sluice.accesslogs;

import static org.awaitility.Awaitility.await;

import io.sluice.testing.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The real nginx with the shipped log settings, in front of a service. */
final class Nginx implements AutoCloseable {
    private final Program program;
    private final int port;
    private final Path log;
    private final Path combined;

    private Nginx(Program program, int port, Path log, Path combined) {
        this.program = program;
        this.port = port;
        this.log = log;
        this.combined = combined;
    }

    /**
     * Starts it.
     *
     * @param inside what its one location does
     */
    static Nginx start(Path folder, String inside) throws IOException {
        String nginx = Program.needed("nginx", "nginx");
        Path log = folder.resolve("sluice.json");
        Path combined = folder.resolve("combined.log");
        Settings.copy(
                "nginx-log.conf",
                folder.resolve("nginx-log.conf"),
                Map.of("/var/log/nginx/sluice.json", log.toString()));
        int port = FreePort.next();
        Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid nginx.pid;
                error_log stderr;
                events {}
                http {
                    client_body_temp_path temporary;
                    proxy_temp_path temporary;
                    fastcgi_temp_path temporary;
                    uwsgi_temp_path temporary;
                    scgi_temp_path temporary;
                    include nginx-log.conf;
                    access_log "%s";
                    server {
                        listen 127.0.0.1:%d;
                        location / { %s }
                    }
                }
                """.formatted(combined, port, inside));
        Program program = Program.start(
                folder,
                nginx,
                "-e",
                "stderr",
                "-p",
                folder.toString(),
                "-c",
                folder.resolve("nginx.conf").toString());
        Nginx started = new Nginx(program, port, log, combined);
        try {
            await("nginx").atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> started.ask(1, "/up") > 0);
        } catch (RuntimeException e) {
            started.close();
            throw new IllegalStateException("nginx did not come up: " + program.printed(), e);
        }
        return started;
    }

    /** Where its lines of JSON stand. */
    Path log() {
        return log;
    }

    /** Where its lines in the combined format stand. */
    Path combined() {
        return combined;
    }

    /** The status of the answer to a request that comes from 127.0.0.{@code client}, all of which are this machine. */
    int ask(int client, String path) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(120_000);
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) client}), 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 30_000);
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            InputStream answer = socket.getInputStream();
            String start = new String(answer.readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
            answer.readAllBytes();
            return Integer.parseInt(start.substring(start.indexOf(' ') + 1));
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
