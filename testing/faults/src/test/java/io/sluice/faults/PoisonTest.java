package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.Records;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import io.sluice.settings.PolicyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What should never have been written stands on all topics, each piece between two good records. */
class PoisonTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final TopicNames TOPICS = new TopicNames("f.");
    private static final int MUTATIONS = Reliability.all() ? 1_000_000 : 6_000;
    private static final String POLICIES = """
            guard: { subjects: 100%%, atLeast: 10 }
            policies:
              - name: all
                per: [caller]
                window: 5m
                lock: { when: [{ above: %d }], mode: shadow, for: 10m }
              - name: busy
                match: { caller: [noisy-*, good-*] }
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: 20 }], mode: block, for: 10m }
              - name: crowd
                match: { caller: [loud-*, quiet] }
                per: [caller]
                window: 2s
                panes: 10
                lock: { when: [{ share: 40%%, of: [], beyond: 15 }], mode: shadow, for: 10m }
            """;

    @TempDir
    Path folder;

    @Test
    void nothingOnAnyTopicStopsAnybodyOrTakesAGoodRecordWithIt() throws Exception {
        Path file = Files.writeString(folder.resolve("policies.yml"), POLICIES.formatted(Poisoner.GOODS - 1));
        PolicySet policies = PolicyFile.read(file);
        try (FaultyBroker broker = FaultyBroker.start();
                JavaProcess analyzer = JavaProcess.start(AnalyzerProcess.usual(folder, broker.bootstrap(), file));
                AgentProcess agent = agent(broker, "agent-1");
                Records records = Records.to(broker.bootstrap());
                Followed followed = new Followed(broker.bootstrap(), TOPICS)) {
            awaiting(() -> assertThat(agent.status())
                    .as(analyzer::toString)
                    .contains("freshness=FRESH")
                    .contains(policies.revision()));
            agent.traffic(Map.of("quiet", 5));
            awaiting(() -> assertThat(Verdicts.lives(followed)).doesNotContain(0L));
            Poisoner poisoner = new Poisoner(records, TOPICS, policies, followed, MUTATIONS);

            Sandwiches locks = poisoner.gateLocks();
            awaiting(() -> assertThat(AgentProcess.number(agent.status(), "locks"))
                    .isBetween((long) locks.goods(), locks.goods() + 1L));
            Sandwiches operator = poisoner.operator();
            long held = (long) locks.goods() + operator.goods();
            awaiting(() ->
                    assertThat(AgentProcess.number(agent.status(), "locks")).isBetween(held, held + 2));
            Sandwiches agents = poisoner.agents();
            awaiting(() ->
                    assertThat(followed.agents(Poisoner.GHOSTS)).isEqualTo(Math.min(agents.goods(), Poisoner.MANY)));
            poisoner.desired();
            Sandwiches active = poisoner.active();
            poisoner.loads();
            Sandwiches usage = poisoner.usage();
            Sandwiches requests = poisoner.requests();

            awaiting(() -> assertThat(followed.deadLetters(TOPICS.requests())).isEqualTo(requests.poison()));
            awaiting(() -> assertThat(followed.deadLetters(TOPICS.usage())).isEqualTo(usage.poison()));
            assertThat(followed.longest()).isLessThanOrEqualTo(4096);
            long unread = locks.poison() + operator.poison() + active.poison();
            awaiting(() ->
                    assertThat(AgentProcess.number(agent.status(), "malformed")).isEqualTo(unread));
            works(agent, analyzer, followed, policies, "noisy-1");

            analyzer.terminate();
            assertThat(analyzer.exit(PATIENCE)).isPresent();
            analyzer.restart();
            try (AgentProcess newcomer = agent(broker, "agent-2")) {
                works(newcomer, analyzer, followed, policies, "noisy-2");
                works(agent, analyzer, followed, policies, "noisy-3");
                assertThat(AgentProcess.number(newcomer.status(), "malformed")).isEqualTo(unread);
            }
            assertThat(followed.deadLetters(TOPICS.requests())).isEqualTo(requests.poison());
            tell(poisoner, requests);
        }
    }

    private AgentProcess agent(FaultyBroker broker, String id) {
        return AgentProcess.start(AgentProcess.of(id, folder, Map.of("bootstrap", broker.bootstrap(), "prefix", "f.")));
    }

    /** From a request's log entry to the rejection, and by a share of the load; without a process that died meanwhile. */
    private static void works(
            AgentProcess agent, JavaProcess analyzer, Followed followed, PolicySet policies, String caller) {
        awaiting(() -> assertThat(agent.status())
                .as(analyzer::toString)
                .contains("freshness=FRESH")
                .contains(policies.revision()));
        agent.traffic(Map.of(caller, 100, "quiet", 5));
        awaiting(() -> assertThat(agent.verdict(caller)).isEqualTo("LOCKED:busy"));
        // no rate shuts this one out: he crowds until the load is known, however slow the machine
        String loud = caller.replace("noisy", "loud");
        agent.traffic(Map.of(loud, 100, "quiet", 5));
        awaiting(() -> assertThat(followed.locked("crowd", loud)).isTrue());
        assertThat(agent.verdict("quiet")).isEqualTo("pass");
        agent.traffic(Map.of("quiet", 5));
        assertThat(analyzer.alive()).as(analyzer::toString).isTrue();
        assertThat(analyzer.logged()).doesNotContain("a stream thread died");
    }

    private void tell(Poisoner poisoner, Sandwiches requests) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("written poison", poisoner.written());
        figures.put("seeded mutations", MUTATIONS);
        poisoner.all()
                .forEach((topic, sandwiches) ->
                        figures.put(topic, sandwiches.poison() + " unreadable, " + sandwiches.strange() + " strange"));
        figures.put(
                "good records between",
                poisoner.all().values().stream().mapToLong(Sandwiches::goods).sum());
        figures.put("dead letters of requests", requests.poison() + " of " + requests.poison());
        figures.put("restarts", 0);
        Reliability.tell(
                6,
                "poison and seeded mutations on all topics, each between two good records, also over restarts",
                "0 restarts, 0 good records lost, dead letters = poison",
                getClass(),
                figures);
    }

    private static void awaiting(ThrowingRunnable condition) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(condition);
    }
}
