package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.analyzer.topology.DeadLetter;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySetJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes are shown while a command watches; the topics are real, and only this test writes to them. */
@Tag("server")
class WatchTest {
    private static final String PREFIX = TestKafka.name("watch") + ".";

    @TempDir
    static Path folder;

    private static String config = "";

    @BeforeAll
    static void topicsAndPolicies() throws Exception {
        config = Files.writeString(folder.resolve("sluice.yml"), """
                        kafka: { bootstrap.servers: "%s" }
                        topics: { prefix: %s, partitions: 1 }
                        """.formatted(TestKafka.bootstrapServers(), PREFIX))
                .toString();
        assertThat(CommandResult.run("topics", "create", "--config", config).code())
                .isZero();
        policies(100);
    }

    private static void policies(long threshold) {
        TestKafka.send(
                PREFIX + "policies", PolicySetJson.ACTIVE, PolicySetJson.writeActive(TestPolicies.above(threshold)));
    }

    @Test
    void history_ofAPolicyThatIsNotInForce_namesTheNearest() {
        CommandResult mistyped = CommandResult.run("locks", "history", "pp", "acme", "--config", config);
        CommandResult known = CommandResult.run("locks", "history", "p", "nothing-of-it", "--config", config);

        assertThat(mistyped.code()).as(mistyped.err()).isZero();
        assertThat(mistyped.out())
                .startsWith("nothing happened in the last 1h; no policy pp is in force, did you mean p?");
        assertThat(known.out()).startsWith("nothing happened in the last 1h" + System.lineSeparator());
    }

    @Test
    void for_withoutWatch_isWrongUsage() {
        for (String command : List.of("locks", "agents", "dead-letters", "policies")) {
            CommandResult result = CommandResult.run(command, "list", "--for", "3s", "--config", config);

            assertThat(result.code()).as(command).isEqualTo(2);
            assertThat(result.out()).as(command).isEmpty();
            assertThat(result.err())
                    .contains("--for: found 3s without --watch", "'./sluice " + command + " list --help'");
        }
    }

    @Test
    void aLockThatIsPutMeanwhileIsShown() throws Exception {
        try (WatchedCommand watch = WatchedCommand.start("locks", "list", "--watch", "--config", config)) {
            watch.shows("no gate is locked");

            CommandResult added =
                    CommandResult.run("locks", "add", "p", "acme", "--reason", "seen", "--config", config);
            assertThat(added.code()).as(added.err()).isZero();

            watch.shows("acme");
        }
    }

    @Tag("full")
    @Test
    void anAgentThatComesMeanwhileIsShown() throws Exception {
        try (WatchedCommand watch = WatchedCommand.start("agents", "list", "--watch", "--config", config)) {
            watch.shows("no agent sent a heartbeat");

            AgentHeartbeat beat =
                    new AgentHeartbeat("orders-1", "orders", Freshness.FRESH, 1, 2, 3, 4, 5, Map.of(), Map.of());
            TestKafka.send(PREFIX + "agents", "orders-1", AgentHeartbeatJson.write(beat));

            watch.shows("orders-1");
        }
    }

    @Tag("full")
    @Test
    void aDeadLetterThatComesMeanwhileIsShownAndCounted() throws Exception {
        try (WatchedCommand watch = WatchedCommand.start("dead-letters", "list", "--watch", "--config", config)) {
            watch.shows("no dead letters in the last 1d");

            letter("no such thing", 1);
            watch.shows("sluice.requests-0@1");
            letter("no such thing", 2);

            watch.shows("2        no such thing");
        }
    }

    private static void letter(String reason, long offset) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(PREFIX + "dead-letters", TestKafka.utf8("what could not be read"));
        letter.headers()
                .add(DeadLetter.REASON, TestKafka.utf8(reason))
                .add(DeadLetter.TOPIC, TestKafka.utf8("sluice.requests"))
                .add(DeadLetter.PARTITION, TestKafka.utf8("0"))
                .add(DeadLetter.OFFSET, TestKafka.utf8(Long.toString(offset)));
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            var unused = producer.send(letter);
        }
    }

    @Tag("full")
    @Test
    void policiesThatChangeMeanwhileAreShown() throws Exception {
        String before = TestPolicies.above(100).revision();
        String after = TestPolicies.above(200).revision();
        try (WatchedCommand watch = WatchedCommand.start("policies", "list", "--watch", "--config", config)) {
            watch.shows("revision " + before);

            policies(200);

            watch.shows("revision " + after);
        }
    }
}
