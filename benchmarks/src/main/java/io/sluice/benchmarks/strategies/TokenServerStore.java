package io.sluice.benchmarks.strategies;

import io.sluice.testing.StoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A sidecar as a token server, in a process of its own. */
final class TokenServerStore implements MeasuredStore, StoreServer {
    private static final String REQUESTS = "sluice_token_server_requests_total ";

    private Process process;
    private int port;
    private URI http = URI.create("http://127.0.0.1");

    @SuppressWarnings("NullAway.Init") // launch sets the process
    private TokenServerStore() throws IOException {
        launch("full");
    }

    static TokenServerStore start() throws IOException {
        return new TokenServerStore();
    }

    private void launch(String mode) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TokenServerChild.class.getName(),
                        Integer.toString(port),
                        mode)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        while (line != null && !line.startsWith(TokenServerChild.READY)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("the token server did not start");
        }
        String[] fields = line.split(" ", -1);
        port = Integer.parseInt(fields[1]);
        http = URI.create(fields[2]);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("servers", "127.0.0.1:" + port);
    }

    @Override
    public StoreServer server() {
        return this;
    }

    @Override
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Starts it as it is started by default: with a chunk in each bucket, since it lost what others were granted. */
    @Override
    public void restart() throws IOException {
        launch("chunk");
    }

    @Override
    public long calls() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(http.resolve("/metrics")).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith(REQUESTS))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(REQUESTS.length()))))
                .findFirst()
                .orElseThrow(() -> new IOException("the token server does not count its requests"));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
