package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.contract.agent.Freshness;
import io.sluice.faults.history.HarnessClock;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.Namespace;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.process.Needs;
import io.sluice.faults.report.Reliability;
import io.sluice.kafka.embedded.KafkaProcess;
import io.sluice.testing.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the host service starts there is no broker, and its host name cannot be resolved. */
class StartWithoutKafkaTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String NAME = "kafka.test";
    /** How long the JVM remembers that a name is unknown: its own 10 s take too long for every build. */
    private static final String NAMES = "-Dsun.net.inetaddr.negative.ttl=" + (Reliability.all() ? 10 : 1);

    private static final long MOST_MICROS = 50_000;
    /** A wait for a name server or a broker shows at each start; a collection or a class that is being loaded may hold up one. */
    private static final int STARTS = Reliability.times(3);

    // the JVM remembers for 10 s that a name is unknown, and the agent tries again every 5 s
    private static final long MOST_MILLIS = 20_000;

    @TempDir
    Path folder;

    private final List<Long> waitedMicros = new ArrayList<>();

    @Test
    void theHostStartsWhereNoNameIsKnownAndItsAgentJoinsOnceThereIsABroker() throws Exception {
        int port = FreePort.next();
        Path hosts = Files.writeString(folder.resolve("hosts"), "");
        JavaProcess.Spec host = AgentProcess.of("agent-1", folder, settings(NAME + ":" + port))
                .java(List.of(NAMES, "-Djdk.net.hosts.file=" + hosts));
        startAndStop(host);
        try (AgentProcess agent = start(host)) {
            try (KafkaProcess kafka = KafkaProcess.builder().port(port).start();
                    JavaProcess analyzer = analyzer(kafka.bootstrapServers())) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(analyzer.logged()).contains("is up"));
                Files.writeString(hosts, "127.0.0.1 " + NAME + "\n");

                joins(agent, "unknown host");
            }
        }
    }

    @Test
    void theHostStartsWhereTheNameServerDoesNotAnswerAndItsAgentJoinsOnceTheCableIsPluggedIn() throws Exception {
        try (Namespace space = Needs.namespace();
                FaultyBroker broker = FaultyBroker.start(Map.of("DOOR", space.hostAddress()));
                JavaProcess analyzer = analyzer(broker.bootstrap())) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(analyzer.logged()).contains("is up"));
            space.nameServer(space.hostAddress());
            space.pull();
            String port = broker.bootstrap("DOOR").split(":", 2)[1];
            JavaProcess.Spec host = AgentProcess.of("agent-1", folder, settings(NAME + ":" + port))
                    .java(List.of(NAMES))
                    .behind(space.command());
            startAndStop(host);
            try (AgentProcess agent = start(host)) {
                space.hosts(space.hostAddress() + " " + NAME + "\n");
                space.plug();

                joins(agent, "name server silent");
            }
        }
    }

    private Map<String, String> settings(String bootstrap) throws Exception {
        Path policies = Files.writeString(folder.resolve("local.json"), """
                {"policies":[{"name":"plan","per":["caller"],"limit":{"rate":"50/s","burst":10}}]}
                """);
        return Map.of("bootstrap", bootstrap, "prefix", "f.", "policies", policies.toString());
    }

    private JavaProcess analyzer(String bootstrap) throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.yml"), """
                policies:
                  - { name: plan, per: [caller], limit: { rate: 500/s, burst: 10 } }
                """);
        return JavaProcess.start(AnalyzerProcess.usual(folder, bootstrap, policies));
    }

    /** All starts but the last. */
    private void startAndStop(JavaProcess.Spec host) {
        for (int start = 1; start < STARTS; start++) {
            start(host).close();
        }
    }

    private AgentProcess start(JavaProcess.Spec host) {
        AgentProcess agent = AgentProcess.start(host);
        waitedMicros.add(agent.waitedMicros());
        serves(agent);
        return agent;
    }

    /** Cold, it holds to the policies of its file, and to nothing else. */
    private static void serves(AgentProcess agent) {
        agent.ask("limit metered 200 50 10");
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(agent.status()).contains("freshness=COLD").contains("Exception"));
        assertThat(agent.ask("limited 1")).contains("wrong=0 ");
    }

    private void joins(AgentProcess agent, String fault) {
        long begin = HarnessClock.now();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(agent.freshness()).as(agent::status).isEqualTo(Freshness.FRESH));
        long joined = HarnessClock.now() - begin;
        assertThat(agent.books().failures()).isZero();
        long waited = waitedMicros.stream().sorted().toList().get(STARTS / 2);
        Reliability.tell(
                2,
                "DNS failing (" + fault + ") and broker absent when the host service starts",
                "the host waits for nothing (≤ 50 ms in the median); its agent joins ≤ 20 s after the fix, of which the JVM remembers the unknown name for 10 s",
                getClass(),
                Map.of(
                        "agent built in",
                        agent.builtMicros() / 1000 + " ms with loading its classes; of each of " + STARTS
                                + " starts it waited " + millis(waitedMicros) + " ms; joined after " + joined + " ms"));
        if (Reliability.all()) {
            assertThat(waited).as("waited, of %s µs", waitedMicros).isLessThanOrEqualTo(MOST_MICROS);
            assertThat(joined).isLessThanOrEqualTo(MOST_MILLIS);
        }
    }

    private static String millis(List<Long> micros) {
        return micros.stream().map(each -> Long.toString(each / 1000)).collect(Collectors.joining(", "));
    }
}
