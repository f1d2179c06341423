package io.sluice.operating;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A real Prometheus on loopback that stops when it is closed. It scrapes every five seconds, as a scrape that takes longer than the time to the next one
 * fails and leaves no series.
 */
final class Prometheus implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final int port;

    private Prometheus(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Debian's package, which also brings promtool: without it a test is skipped, and says so; in CI it has to be there. */
    static void needed() {
        try {
            if (new ProcessBuilder("promtool", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0) {
                return;
            }
        } catch (IOException e) {
            // told below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String missing = "prometheus is not installed (Debian: apt-get install prometheus): this test did not run";
        if ("true".equals(System.getenv("CI"))) {
            fail(missing);
        }
        abort(missing);
    }

    /**
     * Starts one.
     *
     * @param folder an empty one, for its configuration and storage
     * @param targets {@code job=host:port}
     */
    static Prometheus start(Path folder, Path rules, List<String> targets) throws Exception {
        StringBuilder config = new StringBuilder("""
                global: { scrape_interval: 5s, scrape_timeout: 5s, evaluation_interval: 1s }
                rule_files: ["%s"]
                scrape_configs:
                """.formatted(rules));
        for (String target : targets) {
            String[] parts = target.split("=", -1);
            config.append(
                    "  - { job_name: %s, static_configs: [{ targets: [\"%s\"] }] }\n".formatted(parts[0], parts[1]));
        }
        Path file = Files.writeString(folder.resolve("prometheus.yml"), config);
        int port = FreePort.next();
        Process process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        Prometheus started = new Prometheus(process, port);
        try {
            await("prometheus to be ready").atMost(PATIENCE).until(started::ready);
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private boolean ready() throws InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError("prometheus ended with " + process.exitValue());
        }
        try {
            return send("/-/ready").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** How many series a query has now. */
    int series(String query) throws Exception {
        JsonNode answer = JSON.readTree(send("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .body());
        if (!answer.path("status").asText().equals("success")) {
            throw new AssertionError(query + ": " + answer);
        }
        return answer.path("data").path("result").size();
    }

    /** Those queries of the dashboard and of the alerts that have no series now, of those that are about something. */
    List<String> withoutSeries(Predicate<String> about) throws Exception {
        List<String> queries = new ArrayList<>(Deployed.dashboardQueries());
        for (String alert : alerts()) {
            // what it looks at, whether there is reason for alarm or not
            queries.add(alert.replaceAll(" or absent\\(.*\\)$", "").replaceAll("\\s[<>]=?\\s[0-9.]+$", ""));
        }
        queries.removeIf(about.negate());
        if (queries.size() < 10) {
            throw new AssertionError("only these are asked: " + queries);
        }
        List<String> without = new ArrayList<>();
        for (String query : queries) {
            if (series(query) == 0) {
                without.add(query);
            }
        }
        return without;
    }

    /** The expressions of all alerts, as Prometheus has read them. */
    private List<String> alerts() throws Exception {
        return JSON.readTree(send("/api/v1/rules").body()).findValuesAsText("query");
    }

    private HttpResponse<String> send(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
