package io.sluice.examples.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.sluice.agent.GateAgent;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Neighbourhood;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
final class GrpcDoorTest {
    @Test
    void givenAGrpcServerWhenOneCallerCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                GateAgent agent = GateAgent.builder()
                        .bootstrap(neighbourhood.bootstrap())
                        .service("orders")
                        .build()) {
            Server server = GatedServer.start(agent, 0);
            try (Client client = new Client(server.getPort())) {
                Crowd.Told told = Crowd.ask(caller -> client.call(caller).isEmpty(), Duration.ofMinutes(2));

                assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
                assertThat(told.noisyRejected()).isPositive();
                assertThat(told.neighboursAllowed()).isPositive();
                assertThat(told.neighboursRejected()).isZero();
            } finally {
                server.shutdownNow();
            }
        }
    }
}
