package io.sluice.benchmarks.strategies;

import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.TemporaryFolder;
import io.sluice.settings.SluiceSettings;
import io.sluice.sidecar.Sidecar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A sidecar as a token server, without Kafka; prints its ports. */
final class TokenServerChild {
    static final String READY = "ready ";

    private TokenServerChild() {}

    /** Arguments: the port of gRPC or 0; {@code full} or {@code chunk}. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        try (TemporaryFolder folder = new TemporaryFolder()) {
            Path policies = Files.writeString(folder.path().resolve("policies.yml"), "policies: []");
            Path settings = Files.writeString(
                    folder.path().resolve("sluice.yml"), """
                    kafka: { bootstrap.servers: "127.0.0.1:1" }
                    agent: { service: orders, policies: "%s" }
                    sidecar: { http: "127.0.0.1:0", grpc: "127.0.0.1:%s", token-server: true, token-server-start: %s }
                    """.formatted(policies, arguments[0], arguments[1]));
            try (Sidecar sidecar = Sidecar.open(SluiceSettings.read(settings, Map.of()))) {
                System.out.println(READY + sidecar.grpcPort() + " " + sidecar.http());
                // until the parent ends it
                new CountDownLatch(1).await();
            }
        }
    }
}
