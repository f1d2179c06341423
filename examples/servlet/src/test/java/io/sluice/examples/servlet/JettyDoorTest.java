package io.sluice.examples.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Doors;
import io.sluice.neighbours.Neighbourhood;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
final class JettyDoorTest {
    @Test
    @Tag("full")
    void givenAServiceOnJettyWhenOneCallerCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                GateAgent agent = GateAgent.builder()
                        .bootstrap(neighbourhood.bootstrap())
                        .service("orders")
                        .build()) {
            Server server = OrdersOnJetty.start(agent, 0);
            try {
                Crowd.Told told = Crowd.ask(Doors.http(server.getURI().resolve("/orders")), Duration.ofMinutes(2));

                assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
                assertThat(told.noisyRejected()).isPositive();
                assertThat(told.neighboursAllowed()).isPositive();
                assertThat(told.neighboursRejected()).isZero();
            } finally {
                server.stop();
            }
        }
    }
}
