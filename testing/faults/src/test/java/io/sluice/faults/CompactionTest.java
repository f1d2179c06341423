package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.net.Records;
import io.sluice.faults.net.TcpProxy;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.report.Reliability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cleaner eats the decisions' topic from behind while agents come, sleep, and are cut off. */
class CompactionTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final TopicNames TOPICS = new TopicNames("f.");
    private static final int PARTITIONS = 2;
    private static final int CALLERS = 300;
    private static final int AT_ONCE = 10;
    private static final int NEWCOMERS = Reliability.all() ? 200 : 10;
    private static final int MISSED = 1_000;
    private static final long SLEEPERS_LEASE = 4_000;
    private static final String DOOR = "DOOR";
    private static final String SLEEPERS = "sleepers-own";
    private static final long SEED = 10;
    private static final String POLICIES = """
            {"type":"policies","format":1,"guard":{"subjects":"100%"},
            "policies":[{"name":"busy","per":["caller"],"lock":{"when":[{"above":20}],"mode":"block"}}]}
            """;

    /** A cleaner that always runs and keeps no tombstone longer than it must. */
    private static final Map<String, String> EAGER = Map.of(
            "segment.ms", "250",
            "min.cleanable.dirty.ratio", "0.01",
            "min.compaction.lag.ms", "0",
            "max.compaction.lag.ms", "500",
            "delete.retention.ms", "100");

    @TempDir
    Path folder;

    @Test
    void whoeverReadsACompactedTopicKnowsTheSameLocks() throws Exception {
        try (FaultyBroker broker =
                        FaultyBroker.start(Map.of(DOOR, "127.0.0.1"), Map.of("log.cleaner.backoff.ms", "200"));
                Records records = Records.to(broker.bootstrap())) {
            OurTopics.make(broker.bootstrap(), "f.", PARTITIONS);
            eager(broker.bootstrap());
            records.send(
                    TOPICS.policies(),
                    0,
                    PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8),
                    POLICIES.getBytes(StandardCharsets.UTF_8));
            records.flush();
            LockWriter writer = new LockWriter(records, TOPICS, PARTITIONS, CALLERS, SEED);
            Map<String, Object> figures = new LinkedHashMap<>();

            figures.put("agents started meanwhile", newcomers(broker, records, writer));
            try (AgentProcess cutOff = agent("cut-off", broker.bootstrap(DOOR));
                    AgentProcess sleeper = agent("sleeper", broker.bootstrap())) {
                awaiting(() -> assertKnows(cutOff, records, writer));
                awaiting(() -> {
                    assertKnows(sleeper, records, writer);
                    writer.lock(SLEEPERS, SLEEPERS_LEASE);
                    records.flush();
                    assertThat(sleeper.verdict(SLEEPERS)).isEqualTo("LOCKED:busy");
                });
                long sleepersLock = System.currentTimeMillis();

                sleeper.process().freeze();
                broker.door(DOOR).mode(TcpProxy.Mode.BLACKHOLE);
                writer.tombstone(SLEEPERS);
                changes(records, writer, MISSED);
                figures.put("tombstone gone after", awaitForgotten(broker, records, writer) + " ms");
                pass(records, writer, sleepersLock + SLEEPERS_LEASE - System.currentTimeMillis());

                broker.door(DOOR).mode(TcpProxy.Mode.PASS);
                sleeper.process().resume();
                long healed = System.nanoTime();
                awaiting(() -> assertKnows(cutOff, records, writer));
                figures.put(
                        "partition healed after " + MISSED + " changes: same table in", millisSince(healed) + " ms");
                // its lease is over by the agent's estimate of the broker's clock, which may be behind that of this
                // machine
                awaiting(() -> assertThat(sleeper.verdict(SLEEPERS)).isEqualTo("pass"));
                awaiting(() -> assertKnows(sleeper, records, writer));
            }
            judge(broker, writer, figures);
        }
    }

    private static void eager(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            List<AlterConfigOp> changes = EAGER.entrySet().stream()
                    .map(it -> new AlterConfigOp(new ConfigEntry(it.getKey(), it.getValue()), AlterConfigOp.OpType.SET))
                    .toList();
            admin.incrementalAlterConfigs(
                            Map.of(new ConfigResource(ConfigResource.Type.TOPIC, TOPICS.gateLocks()), changes))
                    .all()
                    .get();
        }
    }

    /** Agents in this process, for two hundred processes would take minutes to start: each has clients and threads of its own. */
    private static int newcomers(FaultyBroker broker, Records records, LockWriter writer) {
        Random moments = new Random(SEED);
        changes(records, writer, 2 * CALLERS);
        int started = 0;
        while (started < NEWCOMERS) {
            Map<String, GateAgent> agents = new TreeMap<>();
            for (int i = 0; i < AT_ONCE; i++) {
                changes(records, writer, moments.nextInt(100));
                String id = "agent-" + started++;
                agents.put(
                        id,
                        GateAgent.builder()
                                .bootstrap(broker.bootstrap())
                                .topicPrefix("f.")
                                .service("orders")
                                .id(id)
                                .build());
            }
            changes(records, writer, 100);
            agents.forEach((id, agent) -> awaiting(() -> {
                writer.heartbeat();
                records.flush();
                assertThat(agent.freshness()).as(id).isEqualTo(Freshness.FRESH);
                Map<String, Boolean> oracle = writer.table();
                assertThat(different(oracle, table(agent, oracle))).as(id).isEmpty();
            }));
            agents.values().parallelStream().forEach(GateAgent::close);
        }
        return started;
    }

    private static Map<String, Boolean> table(GateAgent agent, Map<String, Boolean> of) {
        Map<String, Boolean> table = new TreeMap<>();
        of.keySet().forEach(caller -> {
            try (Verdict verdict = agent.check(agent.request(caller).build())) {
                table.put(caller, !verdict.allowed());
            }
        });
        return table;
    }

    private static void assertKnows(AgentProcess agent, Records records, LockWriter writer) {
        writer.heartbeat();
        records.flush();
        assertThat(agent.freshness()).isEqualTo(Freshness.FRESH);
        Map<String, Boolean> oracle = writer.table();
        Map<String, Boolean> table = new TreeMap<>();
        String answer = agent.table(oracle.keySet().toArray(String[]::new));
        for (String entry : answer.substring(1, answer.length() - 1).split(", ", -1)) {
            table.put(entry.substring(0, entry.indexOf('=')), entry.endsWith("=LOCKED:busy"));
        }
        assertThat(different(oracle, table)).isEmpty();
    }

    /** Callers that are locked in one of them and not in the other. */
    private static Set<String> different(Map<String, Boolean> oracle, Map<String, Boolean> table) {
        Set<String> different = new TreeSet<>();
        oracle.forEach((caller, locked) -> {
            if (!locked.equals(table.get(caller))) {
                different.add(caller + (locked ? " should be locked" : " should pass"));
            }
        });
        return different;
    }

    private AgentProcess agent(String id, String bootstrap) {
        return AgentProcess.start(AgentProcess.of(id, folder, Map.of("bootstrap", bootstrap, "prefix", "f.")));
    }

    private static void changes(Records records, LockWriter writer, int many) {
        for (int i = 0; i < many; i++) {
            writer.change();
            LockSupport.parkNanos(1_000_000);
        }
        records.flush();
    }

    /** Waits, with changes going on, until neither the lock nor its tombstone stands on the topic any more. */
    private static long awaitForgotten(FaultyBroker broker, Records records, LockWriter writer) {
        long begin = System.nanoTime();
        awaiting(() -> {
            changes(records, writer, 100);
            assertThat(standing(broker).keySet()).noneMatch(key -> key.contains(SLEEPERS));
        });
        return millisSince(begin);
    }

    /** How many records stand on the topic, by key. */
    private static Map<String, Long> standing(FaultyBroker broker) {
        Map<String, Long> standing = new HashMap<>();
        TopicHistory.read(
                broker.bootstrap(),
                TOPICS.gateLocks(),
                record -> standing.merge(new String(record.key(), StandardCharsets.UTF_8), 1L, Long::sum));
        return standing;
    }

    private static long stands(FaultyBroker broker) {
        return standing(broker).values().stream().mapToLong(it -> it).sum();
    }

    private static void pass(Records records, LockWriter writer, long millis) {
        long end = System.currentTimeMillis() + millis;
        while (System.currentTimeMillis() < end) {
            changes(records, writer, 10);
        }
    }

    private static long millisSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1_000_000;
    }

    private void judge(FaultyBroker broker, LockWriter writer, Map<String, Object> figures) {
        // or nothing was shown; the cleaner may be behind the last changes
        awaiting(() -> assertThat(stands(broker)).isLessThan(writer.written() / 2));
        long stands = stands(broker);
        assertThat(writer.tombstones()).isPositive();
        figures.put("records written", writer.written());
        figures.put("tombstones", writer.tombstones());
        figures.put("left by compaction", stands);
        Reliability.tell(
                10,
                "compaction running, agents starting, a tombstone missed, a partition healed after 1,000 changes",
                "same table as the oracle",
                getClass(),
                figures);
    }

    private static void awaiting(ThrowingRunnable condition) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(condition);
    }
}
