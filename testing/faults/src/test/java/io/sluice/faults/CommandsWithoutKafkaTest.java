package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.contract.topic.TimeLimit;
import io.sluice.faults.report.Reliability;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command of the command line where Kafka is down, silent, or has an unknown host name. */
class CommandsWithoutKafkaTest {
    private static final long DOWN_MILLIS = 5_000;
    private static final long UNKNOWN_HOST_MILLIS = 2_000;
    /** A silent broker costs the four seconds that the message names; the rest is the command's own work. */
    private static final long SILENT_MILLIS = 5_000;

    private static final String SILENT =
            "did not answer within " + TimeLimit.of(Duration.ofSeconds(4)).toSeconds() + " s";

    @TempDir
    Path folder;

    private final Map<String, Object> figures = new LinkedHashMap<>();

    @Test
    void locksList_withoutABroker_endsSoonWithOneLine() throws Exception {
        list("broker down", "127.0.0.1:" + FreePort.next(), "refused the connection", DOWN_MILLIS);
        list("host unknown", "no-such-host.invalid:9092", "the host is unknown", UNKNOWN_HOST_MILLIS);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            list("broker silent", "127.0.0.1:" + silent.getLocalPort(), SILENT, SILENT_MILLIS);
        }

        Reliability.tell(
                2,
                "no broker, a silent one or an unknown host when a command runs",
                "one line with the address, within 5 s; at once for an unknown host",
                CommandsWithoutKafkaTest.class,
                figures);
    }

    private void list(String fault, String bootstrap, String problem, long mostMillis) throws IOException {
        Path config = Files.writeString(folder.resolve("sluice.yml"), "");
        StringWriter err = new StringWriter();
        long begin = System.nanoTime();

        int code = SluiceCommand.commandLine()
                .setErr(new PrintWriter(err))
                .execute("locks", "list", "--config", config.toString(), "--bootstrap", bootstrap);

        long millis = (System.nanoTime() - begin) / 1_000_000;
        assertThat(code).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).contains(bootstrap, problem));
        if (Reliability.all()) {
            assertThat(millis).as(fault).isLessThanOrEqualTo(mostMillis);
        }
        figures.put(fault + ": ended after", millis + " ms");
    }
}
