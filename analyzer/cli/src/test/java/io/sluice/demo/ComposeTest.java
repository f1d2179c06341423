package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.demo.ComposeFile.Service;
import io.sluice.demo.traffic.Caller;
import io.sluice.kafka.embedded.KafkaProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docker-compose.yml starts in containers is started here as plain processes: same commands, same environment. */
@Tag("server")
class ComposeTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SIGTERM = 143;
    private static final String LISTENS = " listens on ";
    private static final String ANSWERS = " answers on ";

    @TempDir
    Path folder;

    private final Map<String, SluiceProcess> processes = new LinkedHashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private String bootstrap = "";

    @AfterEach
    void kill() {
        processes.values().forEach(SluiceProcess::close);
    }

    @Test
    void dockerComposeUnderstandsTheFile() throws Exception {
        Process compose;
        try {
            compose = new ProcessBuilder(
                            "docker-compose", "--file", ComposeFile.FILE.toString(), "config", "--services")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            if (System.getenv("CI") != null) {
                fail("docker-compose is not installed, and this is CI: " + e.getMessage());
            }
            abort("docker-compose is not installed: docker-compose.yml is not checked by it");
            return;
        }
        String said = new String(compose.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(compose.waitFor()).as(said).isZero();
        assertThat(said.lines())
                .containsExactlyInAnyOrderElementsOf(ComposeFile.read().names());
    }

    @Tag("full")
    @Test
    void itsServicesLockTheNoisyCallerOutOfBothGatewaysAndTheSidecarAndEndWhenTold() throws Exception {
        ComposeFile compose = ComposeFile.read();
        try (KafkaProcess kafka = KafkaProcess.builder().start()) {
            bootstrap = kafka.bootstrapServers();
            SluiceProcess topics = start(compose.service("topics"));
            assertThat(topics.exitCode(PATIENCE.toSeconds())).as("%s", topics).isZero();
            for (String name : List.of("analyzer-1", "analyzer-2", "gateway-1", "gateway-2", "sidecar")) {
                start(compose.service(name));
            }
            List<URI> gateways = List.of(listening("gateway-1"), listening("gateway-2"));
            for (String name : List.of("analyzer-1", "analyzer-2")) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(processes.get(name).after("analyzer is "))
                                .as("%s", processes.get(name))
                                .isEqualTo("RUNNING"));
            }
            SluiceProcess traffic = start(compose.service("traffic"), "--rate", "0.1");

            // so seldom that these requests alone don't lock it
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .failFast("a process ended", () -> !endedAlready().isEmpty())
                    .untilAsserted(() -> assertThat(gateways)
                            .as("%s", processes)
                            .allSatisfy(gateway ->
                                    assertThat(status(gateway, Caller.NOISY)).isEqualTo(429)));
            for (URI gateway : gateways) {
                assertThat(status(gateway, "amber")).isEqualTo(200);
            }
            URI sidecar = answering("sidecar");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(checked(sidecar, Caller.NOISY))
                            .as("%s", processes.get("sidecar"))
                            .isEqualTo(429));
            assertThat(checked(sidecar, "amber")).isEqualTo(204);
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(body(gateways.get(0).resolve("/health"))).contains("\"freshness\":\"fresh\""));

            // as compose does it: a service stops before those that it depends on
            stop("traffic");
            stop("gateway-1", "gateway-2", "sidecar");
            stop("analyzer-1", "analyzer-2");
            assertThat(traffic.after("neighbours: "))
                    .as("%s", traffic)
                    .contains(" 0 rejected")
                    .contains("; failed: 0");
        }
    }

    private void stop(String... names) throws InterruptedException {
        for (String name : names) {
            processes.get(name).terminate();
        }
        for (String name : names) {
            SluiceProcess process = processes.get(name);
            assertThat(process.exitCode(PATIENCE.toSeconds())).as("%s", process).isIn(0, SIGTERM);
        }
    }

    private List<SluiceProcess> endedAlready() {
        return processes.entrySet().stream()
                .filter(entry -> !entry.getKey().equals("topics"))
                .map(Map.Entry::getValue)
                .filter(process -> !process.alive())
                .toList();
    }

    /** Only what names a container's own things is put differently, hosts, ports and folders, and what needs a fast machine. */
    private SluiceProcess start(Service service, String... more) throws IOException {
        assertThat(service.image()).as(service.name() + " runs our own image").isEmpty();
        Path home = Files.createDirectories(folder.resolve(service.name()));
        Map<String, String> environment = new LinkedHashMap<>();
        for (Map.Entry<String, String> variable : service.environment().entrySet()) {
            environment.put(variable.getKey(), here(variable.getValue(), service, home));
        }
        List<String> command = new ArrayList<>();
        for (String argument : service.command()) {
            command.add(here(argument, service, home));
        }
        command.addAll(List.of(more));
        SluiceProcess process = SluiceProcess.start(service.name(), command, environment, home);
        processes.put(service.name(), process);
        return process;
    }

    private String here(String value, Service service, Path home) throws IOException {
        if (value.startsWith("http://")) {
            return listening(URI.create(value).getHost()).toString();
        }
        for (String volume : service.volumes()) {
            String[] mount = volume.split(":", 3);
            if (value.startsWith(mount[1])) {
                Path source = mount[0].startsWith(".")
                        ? ComposeFile.FILE.resolveSibling(mount[0]).normalize()
                        : home;
                return patient(Path.of(source + value.substring(mount[1].length())), home)
                        .toString();
            }
        }
        return switch (value) {
            case "kafka:9092" -> bootstrap;
            case "0.0.0.0" -> "127.0.0.1";
            case "0.0.0.0:8481", "0.0.0.0:8482" -> "127.0.0.1:0";
            case "8080" -> "0";
            default -> value;
        };
    }

    private static Path patient(Path file, Path home) throws IOException {
        return file.endsWith("policies.yml")
                ? Files.writeString(home.resolve("policies.yml"), PatientPolicies.ofTenth(Files.readString(file)))
                : file;
    }

    private URI listening(String gateway) {
        SluiceProcess process = processes.get(gateway);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(process.after(LISTENS)).as("%s", process).isNotEmpty());
        return URI.create(process.after(LISTENS));
    }

    private URI answering(String sidecar) {
        SluiceProcess process = processes.get(sidecar);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(process.after(ANSWERS)).as("%s", process).isNotEmpty());
        return URI.create(process.after(ANSWERS).replaceFirst(",.*", ""));
    }

    private int checked(URI sidecar, String caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(sidecar.resolve("/check"))
                .header("X-Sluice-Caller", caller)
                .timeout(PATIENCE)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private int status(URI gateway, String caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(gateway.resolve("/orders/1"))
                .header("X-Api-Key", caller)
                .timeout(PATIENCE)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private String body(URI uri) throws Exception {
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
