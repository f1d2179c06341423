package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.launcher.Sluice;
import io.sluice.testing.ChildJvm;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command that needs Kafka, without a Kafka. */
@Tag("server")
class UnreachableKafkaTest {
    private static final String POLICIES =
            "policies:\n  - { name: noisy, per: [caller], window: 10s, lock: { when: [ { above: 100 } ] } }\n";

    @TempDir
    static Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "analyzer",
                "topics create",
                "topics verify",
                "policies list",
                "policies diff FILE",
                "policies apply FILE",
                "locks list",
                "locks watch",
                "locks history",
                "locks why noisy acme",
                "locks add noisy acme --reason test --for 1m",
                "locks release noisy acme --reason test",
                "enforce off --reason test",
                "agents list",
                "dead-letters list",
                "explain {\"time\":1763700000000,\"caller\":\"acme\",\"status\":200}",
                "replay --topic sluice.requests"
            })
    void command_refusedConnection_oneLineWithTheAddress(String command) throws Exception {
        CommandResult result = run(command, "127.0.0.1:1");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines())
                .as(result.err())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("Kafka at 127.0.0.1:1 refused the connection. Check that it runs", "--bootstrap"));
    }

    @Test
    void analyzer_badPolicyFile_isReportedBeforeTheBroker() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad.yml"), """
                policies:
                  - { name: UPPER, per: [caller], lock: { when: [{ above: 100 }], mode: blok } }
                """);

        CommandResult result = run("analyzer", "127.0.0.1:1", "policies: " + bad + "\n");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines()).hasSize(2).allMatch(line -> line.contains("bad.yml:2"));
    }

    @Test
    void command_unknownHost_namesTheHost() throws Exception {
        CommandResult result = run("policies list", "no-such-host.invalid:9092");

        assertThat(result.err())
                .contains("Kafka at no-such-host.invalid:9092 cannot be reached: the host is unknown. Check");
    }

    @Test
    void doctor_refusedConnection_failsWithTheAddress() throws Exception {
        CommandResult result = run("doctor", "127.0.0.1:1");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).contains("Kafka at 127.0.0.1:1 refused the connection", "1 check failed");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"topics verify", "policies list", "policies apply FILE", "replay --topic sluice.requests"})
    void command_brokerAcceptsAndIsSilent_givesUpWithinFiveSeconds(String command) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            // in a process of its own, which has the time limits of users
            List<String> line = ChildJvm.command(List.of(), Sluice.class);
            line.addAll(words(command, "127.0.0.1:" + silent.getLocalPort(), ""));
            Path printed = folder.resolve("printed");
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();

            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(Files.readString(printed))
                    .contains("Kafka at 127.0.0.1:" + silent.getLocalPort() + " did not answer within 4 s. Check");
        }
    }

    private static CommandResult run(String command, String bootstrap) throws Exception {
        return run(command, bootstrap, "");
    }

    private static CommandResult run(String command, String bootstrap, String settings) throws Exception {
        return CommandResult.run(words(command, bootstrap, settings).toArray(String[]::new));
    }

    private static List<String> words(String command, String bootstrap, String settings) throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.yml"), POLICIES);
        Path config = Files.writeString(
                folder.resolve("sluice.yml"), "kafka: { bootstrap.servers: \"" + bootstrap + "\" }\n" + settings);
        List<String> words = new ArrayList<>(
                List.of(command.replace("FILE", policies.toString()).split(" ")));
        words.add("--config");
        words.add(config.toString());
        return words;
    }
}
