package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.history.Invariants;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random faults, one after the other and some at once, for as long as is asked: {@code -Dsluice.faults.seconds=7200}; the same ones again
 * with {@code -Dsluice.faults.seed}. When an invariant does not hold, the history and all logs are kept.
 */
class NemesisTest {
    private static final int SECONDS = Integer.getInteger("sluice.faults.seconds", Reliability.all() ? 180 : 45);
    private static final long SEED = Long.getLong("sluice.faults.seed", System.nanoTime() % 1_000_000);
    private static final int PARTITIONS = 3;
    private static final long MAX_LEASE = 20_000;
    private static final int LIMIT = 40;
    /**
     * Six times this, and one more for uneven steps, is still allowed: a whole window counted again in both stages by two unclean ends, one
     * after the other, makes no offender.
     */
    private static final int INNOCENT = 5;

    private static final String POLICIES = """
            guard: { subjects: 100%%, atLeast: 1000 }
            policies:
              - name: busy
                match: { caller: ["noisy*", "calm*", amber, birch] }
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: %d }], mode: block, for: 5m }
            """.formatted(LIMIT);

    @TempDir
    Path folder;

    @Test
    void everythingThatWasPromisedHoldsWhateverHappens() {
        System.out.println("nemesis: -Dsluice.faults.seed=" + SEED + " -Dsluice.faults.seconds=" + SECONDS);
        try {
            run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dsluice.faults.seed=" + SEED + ", the history is kept in " + folder, e);
        }
    }

    private void run() {
        try (FaultyBroker broker = FaultyBroker.start(Map.of("AGENT", "127.0.0.1", "ANALYZER", "127.0.0.1"));
                Surroundings around = new Surroundings(
                        folder,
                        broker.bootstrap("ANALYZER"),
                        "n.",
                        PARTITIONS,
                        POLICIES,
                        "standbys: 1, max-lease: " + MAX_LEASE + "ms")) {
            Nemesis nemesis = new Nemesis(SEED, broker, around);
            Map<String, JavaProcess> analyzers = new TreeMap<>();
            for (String instance : List.of("a", "b")) {
                analyzers.put(instance, around.start(around.analyzer(instance)));
            }
            around.awaitAble(0, "a", "b");
            AgentProcess agent = around.agent("agent-1", settings(broker.bootstrap("AGENT")), "noisy");
            AgentProcess other = around.agent("agent-2", settings(broker.bootstrap()), "noisy");
            agent.traffic(traffic("noisy"));
            other.traffic(Map.of("noisy", 40, "birch", INNOCENT));
            around.awaitEverywhere(List.of("noisy"), "LOCKED:busy");

            nemesis.rage(SECONDS, analyzers);
            nemesis.heal(analyzers);
            long healed = System.currentTimeMillis();
            around.awaiting(() -> {
                nemesis.look(analyzers);
                assertThat(around.heartbeats().able(PARTITIONS, healed, List.of("a", "b")))
                        .isTrue();
            });

            agent.traffic(traffic("noisy-healed"));
            around.awaitEverywhere(List.of("noisy", "noisy-healed"), "LOCKED:busy");
            around.awaitEverywhere(List.of("amber", "birch", "calm-1"), "pass");
            Surroundings.settle(agent);
            Surroundings.settle(other);
            judge(around, nemesis);
        }
    }

    private static Map<String, String> settings(String bootstrap) {
        Map<String, String> settings = new LinkedHashMap<>(AgentProcess.exact(Duration.ofMinutes(10)));
        settings.put("bootstrap", bootstrap);
        settings.put("maxLease", Long.toString(MAX_LEASE));
        return settings;
    }

    private static Map<String, Integer> traffic(String offender) {
        Map<String, Integer> traffic = Surroundings.amongOthers("calm-", Map.of("noisy", 40, "amber", INNOCENT));
        traffic.put(offender, 60);
        return traffic;
    }

    private static void judge(Surroundings around, Nemesis nemesis) {
        Invariants history = around.endWithRequests();

        assertThat(history.noLockOutlivesItsLease(MAX_LEASE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(history.noLockOfAnInnocent(around.policies(), 1_000)).isEmpty();
        assertThat(history.locks().decisions())
                .as("no innocent caller")
                .allSatisfy(it -> assertThat(it.lock().subject().get(0)).startsWith("noisy"));
        assertThat(history.noGoodRecordIsPutAside()).isEmpty();
        assertThat(history.storedIsLoggedLessDrops()).isEmpty();
        assertThat(history.noFailures()).isEmpty();
        assertThat(history.tablesAgree()).isEmpty();
        assertThat(nemesis.ends()).as("no crash loop").isLessThanOrEqualTo(2 + SECONDS / 10);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("seed", SEED);
        figures.put("seconds", SECONDS);
        figures.put("faults", nemesis.faults());
        figures.put("analyzers started again", nemesis.ends());
        figures.put("requests stored", history.stored().size());
        figures.put("violations", 0);
        Reliability.tell(
                17,
                "random faults of all kinds",
                "all invariants hold over the whole history",
                NemesisTest.class,
                figures);
    }
}
