package io.sluice.benchmarks.sidecar;

import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.TemporaryFolder;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.SluiceSettings;
import io.sluice.sidecar.Sidecar;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process with one server, which is asked as much as it can answer: first to warm up, then to be measured. */
final class ServerChild {
    private static final int NO_CONTENT = 204;
    private static final int CONNECTIONS = 1024;
    private static final String POLICIES = """
            policies:
              - name: plans
                per: [caller]
                window: 1m
                lock: { when: [{ above: 1000000000 }], mode: block }
                limit: { rate: 1000000/s, burst: 1000000 }
            """;

    private ServerChild() {}

    /** Which server, the seconds to warm up and to measure, and where Kafka is. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        int warmUp = Integer.parseInt(arguments[1]);
        int measured = Integer.parseInt(arguments[2]);
        Path wrk = Program.find("wrk");
        try (TemporaryFolder folder = new TemporaryFolder()) {
            Server server = Server.valueOf(arguments[0]);
            try (Running running = server.start(folder.path(), arguments[3])) {
                String log = server == Server.SIDECAR_LOGS ? "on" : "off";
                Wrk.rate(wrk, folder.path(), running.uri(), log, warmUp);
                Child.tell("rate", Wrk.rate(wrk, folder.path(), running.uri(), log, measured));
            }
        }
    }

    /** The server. */
    enum Server {
        NGINX,
        NOTHING,
        SIDECAR,
        SIDECAR_LOGS;

        private Running start(Path folder, String kafka) throws Exception {
            return switch (this) {
                case NGINX -> nginx(folder);
                case NOTHING -> nothing();
                case SIDECAR, SIDECAR_LOGS -> sidecar(folder, kafka);
            };
        }
    }

    private record Running(URI uri, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }

    /** The sidecar's own server with a handler that answers at once. */
    private static Running nothing() throws IOException {
        HttpEndpoint endpoint = HttpEndpoint.open(
                "127.0.0.1", 0, HttpEndpoint.Bounds.of(CONNECTIONS), "bench", (request, response, callback) -> {
                    response.setStatus(NO_CONTENT);
                    response.write(true, null, callback);
                });
        return new Running(endpoint.uri(), endpoint::close);
    }

    private static Running sidecar(Path folder, String kafka) throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.yml"), POLICIES);
        Path settings = Files.writeString(folder.resolve("sluice.yml"), """
                kafka: { bootstrap.servers: "%s" }
                agent: { service: orders, identity: authenticated, policies: "%s" }
                sidecar: { http: "127.0.0.1:0", grpc: "127.0.0.1:0" }
                """.formatted(kafka, policies));
        Sidecar sidecar = Sidecar.open(SluiceSettings.read(settings, Map.of()));
        return new Running(sidecar.http(), sidecar::close);
    }

    private static Running nginx(Path folder) throws Exception {
        int port = FreePort.next();
        Path settings = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off; worker_processes auto; pid nginx.pid; error_log stderr;
                events {}
                http {
                  access_log off; keepalive_requests 1000000000;
                  client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
                  server { listen 127.0.0.1:%d; location / { return 204; } }
                }
                """.formatted(port));
        Process process = new ProcessBuilder(
                        Program.find("nginx").toString(), "-p", folder + "/", "-c", settings.toString(), "-e", "stderr")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Running running = new Running(URI.create("http://127.0.0.1:" + port), () -> {
            process.destroy();
            process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        });
        while (!listens(port)) {
            if (!process.isAlive()) {
                throw new IOException("nginx ended with " + process.exitValue());
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return running;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
