package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.history.Books;
import io.sluice.faults.history.StoredRequests;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.Namespace;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.net.TcpProxy;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.process.Needs;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker is stopped, killed, or cut off in all the ways networks have, while an agent answers 10,000 checks a second. */
class BrokerFaultsTest {
    private static final int RATE = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration FAULT = Duration.ofMillis(Reliability.all() ? 5_000 : 1_500);
    private static final String AGENT = "agent-1";
    private static final String DOOR = "DOOR";

    @TempDir
    Path folder;

    private final Map<String, Map<String, Long>> measured = new LinkedHashMap<>();

    @Test
    void aBrokerThatIsStoppedKilledOrCutOffCostsNoCheckAndNoUncountedRequest() throws Exception {
        try (FaultyBroker broker = FaultyBroker.start(Map.of(DOOR, "127.0.0.1"));
                AgentProcess agent = agent(broker, spec(broker))) {
            TcpProxy door = broker.door(DOOR);
            during(
                    "stopped",
                    agent,
                    () -> broker.process().freeze(),
                    () -> broker.process().resume());
            during(
                    "killed",
                    agent,
                    () -> broker.process().kill(),
                    () -> broker.process().restart());
            during("silent", agent, () -> door.mode(TcpProxy.Mode.BLACKHOLE), () -> door.mode(TcpProxy.Mode.PASS));
            during("reset", agent, () -> door.mode(TcpProxy.Mode.RESET), () -> door.mode(TcpProxy.Mode.PASS));
            during(
                    "half closed",
                    agent,
                    () -> door.mode(TcpProxy.Mode.HALF_CLOSE),
                    () -> door.mode(TcpProxy.Mode.PASS));
            during("killed with its answers", agent, () -> door.mode(TcpProxy.Mode.MUTE), () -> {
                // what the agent sends again is stored already, and the broker that has to know it reads that back from
                // its disk
                broker.process().kill();
                door.mode(TcpProxy.Mode.PASS);
                broker.process().restart();
            });

            judge(broker, agent, "broker stopped, killed, silent, resetting, half closed, killed with its answers");
        }
    }

    @Test
    void aPulledCableAndAMissingRouteCostNoCheckAndNoUncountedRequest() throws Exception {
        try (Namespace space = Needs.namespace();
                FaultyBroker broker = FaultyBroker.start(Map.of(DOOR, space.hostAddress()));
                AgentProcess agent = agent(broker, spec(broker).behind(space.command()))) {
            during("cable pulled", agent, space::pull, space::plug);
            during("no route", agent, space::blackhole, space::unblackhole);

            judge(broker, agent, "cable pulled, no route to the broker");
        }
    }

    /** What is measured is whether a check waits for Kafka, not for a collector: its pauses grow with what waits to be sent. */
    private JavaProcess.Spec spec(FaultyBroker broker) {
        return AgentProcess.of(AGENT, folder, settings(broker)).java(List.of("-Xms256m", "-XX:+UseZGC"));
    }

    private static Map<String, String> settings(FaultyBroker broker) {
        Map<String, String> settings = new LinkedHashMap<>(AgentProcess.exact(Duration.ofMinutes(2)));
        settings.put("prefix", "f.");
        settings.put("bootstrap", broker.bootstrap(DOOR));
        return settings;
    }

    private AgentProcess agent(FaultyBroker broker, JavaProcess.Spec spec) {
        OurTopics.make(broker.bootstrap(), "f.", 2);
        AgentProcess agent = AgentProcess.start(spec);
        agent.traffic(Map.of("amber", RATE / 2, "birch", RATE / 2));
        awaitSending(agent);
        if (Reliability.all()) {
            // what is compiled later would count as the fault's doing
            pass(FAULT);
        }
        agent.figures();
        passChecking(agent);
        measured.put("well", agent.figures());
        return agent;
    }

    private void during(String fault, AgentProcess agent, Runnable begin, Runnable end) {
        agent.figures();
        begin.run();
        passChecking(agent);
        end.run();
        awaitSending(agent);
        measured.put(fault, agent.figures());
    }

    private static void awaitSending(AgentProcess agent) {
        long before = agent.books().sent();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(agent.books().sent()).as(agent::status).isGreaterThan(before + RATE / 10));
    }

    /** Lets time go by, and so much more that checks were made in it: on a busy machine the agent itself may stand still for a while. */
    private static void passChecking(AgentProcess agent) {
        long before = agent.books().checks();
        pass(FAULT);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(agent.books().checks()).as(agent::status).isGreaterThan(before + RATE / 5));
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        await().atMost(time.plus(PATIENCE)).until(() -> System.nanoTime() > end);
    }

    private void judge(FaultyBroker broker, AgentProcess agent, String faults) {
        Surroundings.settle(agent);
        agent.closeAgent();
        Books books = agent.books();
        StoredRequests stored = StoredRequests.of(broker.bootstrap(), new TopicNames("f.").requests(), AGENT);

        assertThat(books.exceptions()).isZero();
        assertThat(books.failures()).isZero();
        assertThat(books.logged()).isEqualTo(books.checks());
        assertThat(books.sent() + books.drops()).isEqualTo(books.logged());
        assertThat(stored.count()).as("%s", books).isEqualTo(books.logged() - books.drops());
        assertThat(stored.twice()).isZero();
        measured.forEach(
                (fault, figures) -> assertThat(figures.get("count")).as(fault).isGreaterThan(RATE / 10));
        Map<String, Object> told = new LinkedHashMap<>();
        measured.forEach((fault, figures) -> told.put(fault + ": p99.9", figures.get("p999") / 1000.0 + " µs"));
        told.put("checks", books.checks());
        told.put("stored", stored.count());
        told.put("drops", books.drops());
        Reliability.tell(
                1,
                faults + ", 10,000 checks/s",
                "p99.9 of a check ≤ 2 × without the fault; no exception; drops = sent − stored",
                getClass(),
                told);
        if (Reliability.all()) {
            long bound = 2 * measured.get("well").get("p999");
            measured.forEach((fault, figures) ->
                    assertThat(figures.get("p999")).as(fault).isLessThanOrEqualTo(bound));
        }
    }
}
