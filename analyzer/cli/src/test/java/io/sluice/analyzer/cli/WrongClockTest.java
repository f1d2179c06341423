package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.launcher.Sluice;
import io.sluice.testing.ChildJvm;
import io.sluice.testing.NeededProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a machine whose clock is an hour ahead, beside a fleet that works. */
@Tag("server")
@Tag("full")
class WrongClockTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void locksAndAgents_clockAnHourAhead_areShownByTheBrokersTime() throws Exception {
        try (TestFleet fleet = new TestFleet(folder, 2)) {
            fleet.start("one", TestPolicies.aboveInAnHour(100));
            fleet.awaitReady();
            fleet.send("acme", 150);
            String config = Files.writeString(folder.resolve("sluice.yml"), """
                            kafka: { bootstrap.servers: "%s" }
                            topics: { prefix: "%s" }
                            """.formatted(
                                    TestKafka.bootstrapServers(), fleet.topics.prefix()))
                    .toString();
            await().atMost(PATIENCE)
                    .until(() -> CommandResult.run("locks", "list", "--config", config)
                            .out()
                            .contains("acme"));

            beat(fleet);
            ScheduledExecutorService agent = Executors.newSingleThreadScheduledExecutor();
            try {
                // an agent is dead 15 s after its last heartbeat, and the start of a JVM may take longer
                ScheduledFuture<?> beating = agent.scheduleWithFixedDelay(() -> beat(fleet), 1, 1, TimeUnit.SECONDS);
                assertThat(anHourAhead("agents", "list", "--config", config))
                        .containsPattern("orders-1 +orders +")
                        .doesNotContain("dead");
                assertThat(beating.isDone()).isFalse();
            } finally {
                agent.shutdownNow();
            }
            assertThat(anHourAhead("locks", "list", "--config", config)).contains("acme");
            assertThat(anHourAhead("locks", "why", "p", "acme", "--config", config))
                    .contains("acme")
                    .doesNotContain("not locked");
        }
    }

    private static void beat(TestFleet fleet) {
        TestKafka.send(
                fleet.topics.agents(),
                "orders-1",
                AgentHeartbeatJson.write(
                        new AgentHeartbeat("orders-1", "orders", Freshness.FRESH, 1, 2, 3, 4, 5, Map.of(), Map.of())));
    }

    private static String anHourAhead(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(NeededProgram.find("faketime", "faketime").toString(), "-m", "-f", "+1h"));
        command.addAll(ChildJvm.command(
                List.of("-Dsluice.patience=" + System.getProperty("sluice.patience", "1")), Sluice.class));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // what is meant to mend waiting by the monotonic clock makes every wait end at once
        builder.environment().put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        Process process = builder.start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
