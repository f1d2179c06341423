package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.cli.SluiceCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {
    private final StringWriter out = new StringWriter();
    private final CommandLine sluice = SluiceCommand.commandLine()
            .addSubcommand(new DemoCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(out, true));

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
    void theDemoStandsInTheHelpBesideEverythingElse() {
        assertThat(sluice.execute("--help")).isZero();
        assertThat(out.toString()).contains("demo").contains("analyzer").contains("replay");
    }
}
