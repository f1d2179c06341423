package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {
    private final StringWriter out = new StringWriter();
    private final CommandLine sluice =
            Sluice.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));

    @ParameterizedTest
    @CsvSource({
        "--seconds 14, 15 or more",
        "--seconds x, --seconds",
        "--port -1, 0 to 65534",
        "--port 65535, 0 to 65534"
    })
    void aWrongOptionIsWrongUsageAndSaysWhatIsAllowed(String options, String allowed) {
        assertThat(sluice.execute(("demo " + options).split(" "))).isEqualTo(2);
        assertThat(out.toString()).contains(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway-1:8080", "https://gateway-1:8080", "nonsense"})
    void trafficNeedsTheAddressOfAGateway(String url) {
        assertThat(sluice.execute("demo", "traffic", url)).isEqualTo(2);
        assertThat(out.toString()).contains("http://HOST:PORT");
    }

    @Test
    void aSidecarNeedsToKnowWhatItGuards(@TempDir Path folder) throws Exception {
        Path settings = Files.writeString(folder.resolve("sluice.yml"), "sidecar: { http: 127.0.0.1:0 }");

        assertThat(sluice.execute("sidecar", "--config", settings.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("agent.service is missing");
    }

    @Test
    void aSidecarShowsItsSettings(@TempDir Path folder) throws Exception {
        Path settings = Files.writeString(folder.resolve("sluice.yml"), "sidecar: { connections: 7 }");

        assertThat(sluice.execute("sidecar", "--config", settings.toString(), "--print-config"))
                .isZero();
        assertThat(out.toString())
                .contains("sidecar.connections: 7    # " + settings)
                .contains("sidecar.http: 127.0.0.1:8481    # default");
    }

    @Test
    void theDemoStandsInTheHelpBesideEverythingElse() {
        assertThat(sluice.execute("--help")).isZero();
        assertThat(out.toString()).contains("demo", "sidecar", "analyzer", "replay");
    }
}
