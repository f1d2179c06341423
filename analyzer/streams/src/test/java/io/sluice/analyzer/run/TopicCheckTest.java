package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.settings.SluiceSettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicCheckTest {

    /** As a web server under Kafka's address: it accepts connections, and does not answer. */
    @Test
    void serverThatIsNoBroker_isNamedWithTheTimeWaited(@TempDir Path folder) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            SluiceSettings settings = SluiceSettings.read(
                    Files.writeString(
                            folder.resolve("sluice.yml"), "analyzer: { state-dir: " + folder.resolve("state") + " }"),
                    address,
                    Map.of());
            Map<String, Object> client = new HashMap<>(settings.kafka().client());
            client.put("default.api.timeout.ms", "1000");
            client.put("request.timeout.ms", "1000");

            assertThatThrownBy(() -> Analyzer.start(AnalyzerOptions.of(settings, client, null)))
                    .isInstanceOf(CannotStart.class)
                    .hasMessage("Kafka at " + address
                            + " did not answer within 1 s. Check that this is the address of a broker"
                            + " and that kafka.properties-file has its TLS and SASL settings.");
        }
    }
}
