package io.sluice.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Doors;
import io.sluice.neighbours.Neighbourhood;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs on Boot 3.5 and, from {@code examples/spring-boot-4}, on Boot 4. */
final class SpringBootDoorTest {
    @Test
    void givenABootApplicationWhenOneCallerCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("sluice.boot"));
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                ConfigurableApplicationContext application =
                        start("--server.port=0", "--sluice.kafka.bootstrap-servers=" + neighbourhood.bootstrap())) {
            URI base = URI.create(
                    "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port"));
            Crowd.Told told = Crowd.ask(Doors.http(base.resolve("/orders")), Duration.ofMinutes(2));

            assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
            assertThat(told.noisyRejected()).isPositive();
            assertThat(told.neighboursAllowed()).isPositive();
            assertThat(told.neighboursRejected()).isZero();
            // stale for a moment after the analyzer stood still
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(get(base.resolve("/actuator/sluice")))
                            .contains(
                                    "\"service\":\"orders\"",
                                    "\"freshness\":\"FRESH\"",
                                    "\"rejectedBy\":{\"noisy-neighbour\":"));
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void givenACallerThatCanNotBeWhenItStartsThenItSaysWhatIsWrong(CapturedOutput output) {
        assertThatThrownBy(() -> start("--server.port=0", "--sluice.agent.caller=cookie"));
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("sluice.agent: caller must be header:NAME, principal or address, found cookie");
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        return SpringApplication.run(OrdersApplication.class, arguments);
    }

    private static String get(URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
