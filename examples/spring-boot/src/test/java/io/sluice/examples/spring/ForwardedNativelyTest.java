package io.sluice.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** {@code server.forward-headers-strategy: native}, by which Tomcat replaces the client's address. On Boot 3.5 and 4; no Kafka. */
@ExtendWith(OutputCaptureExtension.class)
final class ForwardedNativelyTest {
    private static final String ONE_AN_HOUR =
            "{\"policies\":[{\"name\":\"one\",\"per\":[\"caller\"]," + "\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}";

    @TempDir
    Path folder;

    private ConfigurableApplicationContext start(String... more) throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.json"), ONE_AN_HOUR);
        return SpringApplication.run(
                OrdersApplication.class,
                Stream.concat(
                                Stream.of(
                                        "--server.port=0",
                                        "--server.forward-headers-strategy=native",
                                        "--sluice.kafka.bootstrap-servers=127.0.0.1:1",
                                        "--sluice.agent.caller=address",
                                        "--sluice.agent.policies=" + policies.toUri()),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private static int status(ConfigurableApplicationContext application, String forwardedFor) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .header("X-Forwarded-For", forwardedFor)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void noTrustedProxy_clientInventsAddresses_itIsOneCallerAndTheLogNamesTheProperty(CapturedOutput output)
            throws Exception {
        List<Integer> answers = new ArrayList<>();
        try (ConfigurableApplicationContext application = start()) {
            for (int i = 1; i <= 20; i++) {
                answers.add(status(application, "203.0.113." + i));
            }
        }

        assertThat(answers).startsWith(200).filteredOn(status -> status == 429).hasSize(19);
        assertThat(output.getAll()).containsOnlyOnce("sluice.agent.trusted-proxies is empty");
    }

    @Test
    void trustedProxy_clientInventsAddresses_itIsTheAddressThatTheProxySaw(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext application = start("--sluice.agent.trusted-proxies=127.0.0.1")) {
            assertThat(status(application, "6.6.6.1, 198.51.100.7")).isEqualTo(200);
            assertThat(status(application, "6.6.6.2, 198.51.100.7")).isEqualTo(429);
            assertThat(status(application, "6.6.6.2, 198.51.100.8")).isEqualTo(200);
        }
        assertThat(output.getAll()).doesNotContain("sluice.agent.trusted-proxies is empty");
    }
}
