package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.HttpDoor;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.RequestEvent;
import io.sluice.settings.SluiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lock of the analyzer closes a gate only if the log of a proxy and the gate behind it name a client alike. */
class LoggedCallersTest {
    private static final Map<String, String> LINES = Map.of(
            "combined", "%s - - [21/Nov/2025:04:39:59 +0000] \"GET / HTTP/1.1\" 200 5",
            "nginx-json", "{\"msec\":\"1763699999.123\",\"remote_addr\":\"%s\",\"status\":\"200\"}",
            "envoy-json", "{\"start_time\":\"2025-11-21T04:39:59.123Z\",\"downstream_remote_address\":\"%s\"}",
            "ecs", "{\"@timestamp\":\"2025-11-21T04:39:59.123Z\",\"client\":{\"ip\":\"%s\"}}");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, 64",
        "2001:db8:1:203:4:5:6:7, 64",
        "2001:DB8:1:203::7, 64",
        "::ffff:203.0.113.9, 64",
        "2001:db8:1:203:4:5:6:7, 56",
        "2001:db8:1:203:4:5:6:7, 128"
    })
    void address_hasTheSameNameInEveryLogAndAtTheGate(String address, int prefix) throws Exception {
        for (Map.Entry<String, String> line : LINES.entrySet()) {
            SluiceSettings settings = settings(line.getKey(), prefix);
            RequestEvent logged = LogFormats.of(settings.sources().get(0))
                    .read(line.getValue().formatted(address).getBytes(StandardCharsets.UTF_8));

            CallerExtraction gate = CallerExtraction.of(
                    settings.agent().caller(),
                    settings.agent().identity(),
                    List.of(),
                    settings.agent().ipv6Prefix());
            assertThat(logged.caller())
                    .as(line.getKey())
                    .isEqualTo(gate.request(new Client(address)).build().caller());
        }
    }

    private SluiceSettings settings(String format, int prefix) throws Exception {
        Path file = directory.resolve("sluice.yml");
        Files.writeString(
                file,
                "agent: { ipv6-prefix: %d }%nsources: [ { topic: web, format: %s } ]%n".formatted(prefix, format));
        return SluiceSettings.read(file, Map.of());
    }

    private record Client(String peer) implements HttpDoor {
        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public @Nullable String principal() {
            return null;
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String method() {
            return "GET";
        }
    }
}
