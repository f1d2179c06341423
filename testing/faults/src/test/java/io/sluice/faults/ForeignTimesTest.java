package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.net.Records;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events and records come with times from anywhere, on our topic and on a team's own that keeps the producer's time. */
class ForeignTimesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final TopicNames TOPICS = new TopicNames("f.");
    private static final String TEAMS = "team.log";
    private static final long AHEAD = 3_500_000;
    private static final long DAY = 86_400_000;
    private static final int SECONDS = Reliability.all() ? 40 : 4;
    private static final int UPLOADED = Reliability.all() ? 200_000 : 20_000;
    // far under the threshold, each of them
    private static final int A_SECOND = 5;
    private static final String POLICIES = """
            guard: { subjects: 100%, atLeast: 10 }
            policies:
              - name: busy
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: 20 }], mode: block, for: 5m }
              - name: crowd
                per: [caller]
                window: 2s
                panes: 10
                lock: { when: [{ share: 70%, of: [], beyond: 40 }], mode: shadow, for: 5m }
            """;

    @TempDir
    Path folder;

    private long negative;

    @Test
    void timesFromTheFutureAndThePastMoveNobodysWindow() throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.yml"), POLICIES);
        try (FaultyBroker broker = FaultyBroker.start()) {
            makeTopics(broker.bootstrap());
            String settings = AnalyzerProcess.settings(
                            broker.bootstrap(),
                            "f.",
                            2,
                            policies,
                            "analyzer: { state-dir: " + folder.resolve("state") + " }")
                    .replace("format: json }]", "format: json }, { topic: " + TEAMS + ", format: json }]");
            try (JavaProcess analyzer = JavaProcess.start(AnalyzerProcess.of("a", folder, settings));
                    Records records = Records.to(broker.bootstrap());
                    AgentProcess agent = AgentProcess.start(AgentProcess.of(
                            "agent-1", folder, Map.of("bootstrap", broker.bootstrap(), "prefix", "f.")))) {
                awaiting(() ->
                        assertThat(agent.status()).contains("freshness=FRESH").doesNotContain("policies=none"));
                agent.traffic(Map.of("quiet", 5));
                long undisturbed = reaction(agent, "noisy-0");

                for (int second = 0; second < SECONDS; second++) {
                    // never sooner: those of two seconds at once are not far under the threshold
                    long begin = System.nanoTime();
                    strange(records);
                    if (second == SECONDS / 2) {
                        upload(records);
                    }
                    awaitSecond(begin);
                }
                long disturbed = reaction(agent, "noisy-1");
                strange(records);
                long after = reaction(agent, "noisy-2");

                assertThat(agent.verdict("quiet")).isEqualTo("pass");
                assertThat(analyzer.alive()).as(analyzer::toString).isTrue();
                judge(
                        broker,
                        Map.of(
                                "reaction before",
                                undisturbed + " ms",
                                "meanwhile",
                                disturbed + " ms",
                                "afterwards",
                                after + " ms"));
            }
        }
    }

    private static void makeTopics(String bootstrap) throws Exception {
        OurTopics.make(bootstrap, "f.", 2);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(TEAMS, 2, (short) 1)
                            .configs(Map.of(
                                    "message.timestamp.type",
                                    "CreateTime",
                                    "message.timestamp.before.max.ms",
                                    Long.toString(Long.MAX_VALUE),
                                    "message.timestamp.after.max.ms",
                                    Long.toString(Long.MAX_VALUE),
                                    "retention.ms",
                                    "-1"))))
                    .all()
                    .get();
        }
    }

    private static long reaction(AgentProcess agent, String caller) {
        long begin = System.nanoTime();
        agent.traffic(Map.of(caller, 100, "quiet", 5));
        awaiting(() -> assertThat(agent.verdict(caller)).isEqualTo("LOCKED:busy"));
        return (System.nanoTime() - begin) / 1_000_000;
    }

    /** A second's worth of events that say, or stand at, another time; those of a negative one can't be read. */
    private void strange(Records to) {
        long now = System.currentTimeMillis();
        for (int i = 0; i < A_SECOND; i++) {
            int partition = i % 2;
            for (Map.Entry<String, Long> time : Map.of(
                            "ahead", now + AHEAD, "seventies", 1_000L, "zero", 0L, "last", Long.MAX_VALUE)
                    .entrySet()) {
                to.send(TOPICS.requests(), partition, null, event(time.getKey(), time.getValue()));
                // the record's time alone is strange, then both are
                teams(to, partition, time.getValue(), event("record-" + time.getKey(), now));
                teams(to, partition, time.getValue(), event("both-" + time.getKey(), time.getValue()));
            }
            to.send(TOPICS.requests(), partition, null, event("negative", -now));
            to.send(TOPICS.requests(), partition, null, event("least", Long.MIN_VALUE));
            negative += 2;
        }
        to.flush();
    }

    private static void teams(Records to, int partition, long timestamp, byte[] event) {
        to.send(new ProducerRecord<>(TEAMS, partition, timestamp, null, event));
    }

    /** Yesterday's log of a caller far over the threshold. */
    private static void upload(Records to) {
        long then = System.currentTimeMillis() - DAY;
        for (int i = 0; i < UPLOADED; i++) {
            to.send(TOPICS.requests(), i % 2, null, event("uploader", then + i));
            teams(to, i % 2, then + i, event("teams-uploader", then + i));
        }
        to.flush();
    }

    private static byte[] event(String caller, long time) {
        return ("{\"time\":" + time + ",\"caller\":\"" + caller
                        + "\",\"service\":\"orders\",\"identity\":\"authenticated\"}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private void judge(FaultyBroker broker, Map<String, String> reactions) {
        try (Followed followed = new Followed(broker.bootstrap(), TOPICS)) {
            awaiting(() -> assertThat(followed.deadLetters(TOPICS.requests())).isEqualTo(negative));
        }
        Set<String> locked = new TreeSet<>();
        new LockSpans(TopicHistory.of(broker.bootstrap(), TOPICS))
                .decisions()
                .forEach(decision -> locked.addAll(decision.lock().subject()));

        assertThat(locked).containsExactlyInAnyOrder("noisy-0", "noisy-1", "noisy-2");
        Map<String, Object> figures = new LinkedHashMap<>(reactions);
        figures.put("strange events", (2 + 3 * 4) * A_SECOND * (SECONDS + 1));
        figures.put("uploaded a day late", 2 * UPLOADED);
        figures.put("false locks", 0);
        Reliability.tell(
                7,
                "times 3,500 s ahead each second, of 1970, negative, the greatest; a log uploaded a day late",
                "others' detection unchanged; no false lock",
                getClass(),
                figures);
    }

    private static void awaitSecond(long begin) {
        Awaitility.await().atMost(PATIENCE).until(() -> System.nanoTime() - begin > 1_000_000_000L);
    }

    private static void awaiting(ThrowingRunnable condition) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(condition);
    }
}
