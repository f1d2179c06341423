package io.sluice.examples.httpserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Doors;
import io.sluice.neighbours.Neighbourhood;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
final class HttpServerDoorTest {
    @Test
    void givenAServiceOnTheJdksServerWhenOneCallerCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                GateAgent agent = GateAgent.builder()
                        .bootstrap(neighbourhood.bootstrap())
                        .service("orders")
                        .build()) {
            HttpServer server = OrdersServer.start(agent, 0);
            try {
                URI orders =
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/orders");
                Crowd.Told told = Crowd.ask(Doors.http(orders), Duration.ofMinutes(2));

                assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
                assertThat(told.noisyRejected()).isPositive();
                assertThat(told.neighboursAllowed()).isPositive();
                assertThat(told.neighboursRejected()).isZero();
            } finally {
                server.stop(0);
            }
        }
    }
}
