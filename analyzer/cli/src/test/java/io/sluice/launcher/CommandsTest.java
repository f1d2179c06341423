package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.ChildJvm;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        "--seconds 14, '--seconds: found 14, allowed is 15 to 86400'",
        "--seconds x, '--seconds: found x, allowed is 15 to 86400'",
        "--port -1, '--port: found -1, allowed is 0 to 65534'",
        "--port 65535, '--port: found 65535, allowed is 0 to 65534'",
        "gateway --port 65536, '--port: found 65536, allowed is 0 to 65535'",
        "gateway --bind no.such.host.invalid, '--bind: found no.such.host.invalid, there is no such host'",
        "gateway --bootstrap=, '--bootstrap: found nothing, allowed is HOST:PORT'"
    })
    void aWrongOptionIsWrongUsageAndSaysWhatIsAllowed(String options, String allowed) {
        assertThat(sluice.execute(("demo " + options).split(" "))).isEqualTo(2);
        assertThat(out.toString()).contains(allowed);
    }

    /** Found before a broker is started, the port of the second gateway, too. */
    @ParameterizedTest
    @CsvSource({"demo, 0", "demo, 1", "demo gateway, 0"})
    void port_inUse_isWrongUsage(String command, int above) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int first = taken.getLocalPort() - above;
            String[] typed = (command + " --port " + first).split(" ");

            assertThat(sluice.execute(typed)).isEqualTo(2);
            // the other port may be in use, too
            assertThat(out.toString())
                    .matches("(?s)can't listen on 127.0.0.1:(" + first + "|" + (first + 1)
                            + "): Address already in use; choose another --port.*");
        }
    }

    /** An address for documentation, which no machine has (RFC 5737). */
    @ParameterizedTest
    @ValueSource(ints = {0, 8080})
    void addressOfNoMachineHere_isWrongUsageThatNamesNoPort(int port) {
        assertThat(sluice.execute("demo", "gateway", "--bind", "192.0.2.1", "--port", String.valueOf(port)))
                .isEqualTo(2);
        assertThat(out.toString())
                .startsWith("can't listen on 192.0.2.1: ")
                .contains("; choose an address of this machine");
    }

    /** Known before the demo has run for a minute, or a long log was read. */
    @ParameterizedTest
    @CsvSource({
        "demo --report /absent/r.json, --report: found /absent/r.json; there is no folder /absent",
        "demo --report /, --report: found /; it is a folder",
        "replay --report /absent/r.json absent.log, --report: found /absent/r.json; there is no folder /absent"
    })
    void report_whereNoFileCanBeWritten_isWrongUsage(String typed, String answer) {
        assertThat(sluice.execute(typed.split(" "))).isEqualTo(2);
        assertThat(out.toString()).startsWith(answer);
    }

    /** As with head: not an error, and nothing is printed about it. */
    @Test
    void closedPipe_endsTheCommandSilently() throws Exception {
        List<String> command = ChildJvm.command(List.of(), Sluice.class);
        command.add("completion");
        Process completion = new ProcessBuilder(command).start();
        completion.getInputStream().close();

        String complaints = new String(completion.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(complaints).isEmpty();
        assertThat(completion.waitFor()).isEqualTo(141);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway-1:8080", "https://gateway-1:8080", "nonsense", "http://", "http://a b"})
    void trafficNeedsTheAddressOfAGateway(String url) {
        assertThat(sluice.execute("demo", "traffic", url)).isEqualTo(2);
        assertThat(out.toString()).startsWith("URL: found " + url + ", allowed is http://HOST:PORT");
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

    @ParameterizedTest
    @ValueSource(strings = {"demo", "demo gateway", "demo traffic", "sidecar"})
    void help_hasExamplesAndDescribesEachParameter(String name) {
        CommandLine command = sluice;
        for (String word : name.split(" ", -1)) {
            command = command.getSubcommands().get(word);
        }

        assertThat(command.getCommandSpec().usageMessage().footer())
                .anyMatch(line -> line.startsWith("  ./sluice " + name));
        assertThat(command.getCommandSpec().args())
                .allMatch(arg -> !String.join("", arg.description()).isBlank());
    }

    @Test
    void sidecar_bootstrap_overridesTheSettings() {
        assertThat(sluice.execute("sidecar", "--bootstrap", "kafka:19092", "--print-config"))
                .isZero();
        assertThat(out.toString()).contains("kafka.bootstrap.servers: kafka:19092    # --bootstrap");
    }

    @Test
    void theDemoStandsInTheHelpBesideEverythingElse() {
        assertThat(sluice.execute("--help")).isZero();
        assertThat(out.toString()).contains("demo", "sidecar", "analyzer", "replay");
    }
}
