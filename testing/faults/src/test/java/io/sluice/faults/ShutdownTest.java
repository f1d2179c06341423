package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.contract.agent.Freshness;
import io.sluice.faults.history.HarnessClock;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes are told to end while their broker is dead, and agents come and go in one JVM. */
class ShutdownTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final long MOST_MILLIS = 10_000;
    private static final int SIGTERM = 143;
    private static final Map<String, Object> FIGURES = new LinkedHashMap<>();

    @TempDir
    Path folder;

    enum Death {
        FROZEN,
        KILLED
    }

    /** One that is frozen keeps its connections: of the two it is the harder one. */
    static List<Death> deaths() {
        return Reliability.all() ? List.of(Death.values()) : List.of(Death.FROZEN);
    }

    @ParameterizedTest
    @MethodSource("deaths")
    void analyzerAndAgentsEndInTimeAndLeaveNoThreadWhenTheirBrokerIsDead(Death death) throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.yml"), """
                policies:
                  - { name: busy, per: [caller], window: 1s, panes: 10, lock: { when: [{ above: 20 }], mode: block } }
                """);
        try (FaultyBroker broker = FaultyBroker.start();
                JavaProcess analyzer = JavaProcess.start(AnalyzerProcess.usual(folder, broker.bootstrap(), policies));
                AgentProcess told = agent(broker, "agent-1");
                AgentProcess closed = agent(broker, "agent-2")) {
            for (AgentProcess agent : new AgentProcess[] {told, closed}) {
                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                assertThat(agent.freshness()).as(agent::status).isEqualTo(Freshness.FRESH));
                agent.traffic(Map.of("amber", 2, "noisy", 200));
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(told.verdict("noisy")).isEqualTo("LOCKED:busy"));
            if (death == Death.FROZEN) {
                broker.process().freeze();
            } else {
                broker.process().kill();
            }
            // what is under way when the broker dies is what hangs
            long before = told.books().logged();
            await().atMost(PATIENCE).until(() -> told.books().logged() > before + 300);

            long begin = HarnessClock.now();
            analyzer.terminate();
            told.process().terminate();
            String left = closed.closeAgent();
            Optional<Integer> agentCode = told.process().exit(PATIENCE);
            long agentMillis = HarnessClock.now() - begin;
            Optional<Integer> analyzerCode = analyzer.exit(PATIENCE);
            long analyzerMillis = HarnessClock.now() - begin;

            assertThat(agentCode).contains(SIGTERM);
            assertThat(analyzerCode).as("%s", analyzer).contains(SIGTERM);
            assertThat(left).contains("threads=[]");
            note(death, agentMillis, analyzerMillis, AgentProcess.number(left, "millis"));
        }
    }

    private AgentProcess agent(FaultyBroker broker, String id) {
        return AgentProcess.start(AgentProcess.of(id, folder, Map.of("bootstrap", broker.bootstrap(), "prefix", "f.")));
    }

    private static void note(Death death, long agent, long analyzer, long closed) {
        String broker = "broker " + death.name().toLowerCase(Locale.ROOT) + ": ";
        FIGURES.put(broker + "agent's process gone after", agent + " ms");
        FIGURES.put(broker + "analyzer's", analyzer + " ms");
        FIGURES.put(broker + "agent closed in", closed + " ms");
        if (Reliability.all()) {
            assertThat(Math.max(agent, analyzer)).isLessThanOrEqualTo(MOST_MILLIS);
        }
    }

    @AfterAll
    static void tell() {
        Reliability.tell(
                12,
                "SIGTERM with the broker dead, frozen or killed; deployed again and again",
                "analyzer and agent end within 10 s, no thread is left",
                ShutdownTest.class,
                FIGURES);
    }

    @Test
    void anAgentThatIsDeployedAgainAndAgainLeavesNeitherAThreadNorItsClasses() {
        int times = Reliability.all() ? 50 : 5;
        try (FaultyBroker broker = FaultyBroker.start()) {
            OurTopics.make(broker.bootstrap(), "f.", 2);
            try (AgentProcess agent = agent(broker, "agent-1")) {
                String well = agent.ask("redeploy " + times, Duration.ofMinutes(3));
                assertThat(well).contains("threads=[] loaders=0");

                broker.process().kill();
                String dead = agent.ask("redeploy 2", Duration.ofMinutes(1));
                assertThat(dead).contains("threads=[] loaders=0");
                FIGURES.put("deployed " + times + " times, and twice with the broker dead", well + "; " + dead);
            }
        }
    }
}
