package io.sluice.sidecar;

import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Sidecars on free ports whose agents have policies of their own, and no Kafka. */
final class Sidecars {
    /** Two requests at once, then one every ten minutes. */
    static final String TWO_AT_ONCE = """
            policies:
              - { name: plans, per: [caller], limit: { rate: 6/h, burst: 2 } }
            """;

    /** A thousand tokens at once, then one a minute. */
    static final String THOUSAND_TOKENS = """
            policies:
              - { name: tokens, per: [caller], measure: cost, limit: { rate: 60/h, burst: 1000 } }
            """;

    private Sidecars() {}

    static Path settings(Path folder, String policies, String agent, String sidecar) {
        try {
            Files.writeString(folder.resolve("policies.yml"), policies);
            return Files.writeString(
                    folder.resolve("sluice.yml"), """
                    kafka: { bootstrap.servers: "127.0.0.1:1" }
                    agent: { service: orders, policies: "%s" %s }
                    sidecar: { http: "127.0.0.1:0", grpc: "127.0.0.1:0" %s }
                    """.formatted(folder.resolve("policies.yml"), agent, sidecar));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Sidecar open(Path folder, String policies) throws Exception {
        return open(folder, policies, "", "");
    }

    static Sidecar open(Path folder, String policies, String agent, String sidecar) throws Exception {
        return Sidecar.open(SluiceSettings.read(settings(folder, policies, agent, sidecar), Map.of()));
    }

    /** Opens one whose gRPC port is known before. */
    static Sidecar open(Path folder, String policies, String agent, String sidecar, int grpcPort) throws Exception {
        return Sidecar.open(SluiceSettings.read(
                settings(folder, policies, agent, sidecar), Map.of("SLUICE_SIDECAR_GRPC", "127.0.0.1:" + grpcPort)));
    }

    /** Returns how many requests to token servers ended in that way, as the sidecar's metrics count them. */
    static long tokenRequests(Sidecar sidecar, String outcome) throws Exception {
        return count(sidecar, "sluice_gate_quota_requests_total", outcome);
    }

    /** Returns how many checks had that outcome, as the sidecar's metrics count them. */
    static long checks(Sidecar sidecar, String outcome) throws Exception {
        return count(sidecar, "sluice_gate_checks_total", outcome);
    }

    private static long count(Sidecar sidecar, String metric, String outcome) throws Exception {
        String page = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(sidecar.http() + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        return page.lines()
                .filter(line -> line.startsWith(metric + "{") && line.contains("outcome=\"" + outcome + "\""))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ')))))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + outcome + " in " + page));
    }
}
