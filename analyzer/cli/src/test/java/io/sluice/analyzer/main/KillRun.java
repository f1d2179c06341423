package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Callers around their limit, analyzers that are killed in mid-stream, and what came of it. */
final class KillRun {
    static final long LIMIT = 100;
    private static final int PARTITIONS = 4;
    /**
     * Lateness and backlog: requests of a minute in which the machine stood still are counted, and lock. With more, the windows would be in the next larger
     * store.
     */
    private static final long LATENESS = 180_000;

    private static final long SKEW = 5_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Plan plan;
    private final Path folder;
    private final TopicNames topics = new TopicNames(TestKafka.name("kill") + ".");
    private final PolicySet policies;
    private long begun;

    /** What happens to an analyzer that is killed. */
    enum Kill {
        /** It comes back at once. */
        RESTARTED,
        /** It comes back two seconds later, and is killed again while it catches up: two kills in one window. */
        CATCHING_UP,
        /** Another one takes over; it comes back when that has happened. */
        TAKEN_OVER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** @param commitMillis how often the analyzers commit */
    record Plan(boolean exactlyOnce, long windowMillis, long commitMillis, int callers, List<Kill> kills, long seed) {
        String guarantee() {
            return exactlyOnce ? "exactly-once" : "at-least-once";
        }
    }

    private KillRun(Path folder, Plan plan) {
        this.plan = plan;
        this.folder = folder;
        policies = TestPolicies.yaml(policyFile());
    }

    static KillReport of(Path folder, Plan plan) throws Exception {
        return new KillRun(folder, plan).run();
    }

    /** With the spike, which never fires, nothing is held back: what was sent can be compared with what was requested. */
    private String policyFile() {
        return """
                guard: { subjects: 100%%, atLeast: 1000 }
                policies:
                  - name: hovering
                    per: [caller]
                    window: %dms
                    panes: 20
                    lock:
                      when: [{ above: %d }, { spike: 1000, baseline: 1h, floor: 100000000 }]
                      mode: block
                      for: 5m
                      release: 80%%
                """.formatted(plan.windowMillis, LIMIT);
    }

    private String settings(Path policyFile) {
        return """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: %d, create: true }
                policies: %s
                sources: [{ topic: %s, format: json }]
                analyzer: { state-dir: %s, guarantee: %s, commit: %dms, lateness: %dms, backlog: %dms }
                http: { port: 0 }
                """.formatted(
                        TestKafka.bootstrapServers(),
                        topics.prefix(),
                        PARTITIONS,
                        policyFile,
                        topics.requests(),
                        folder.resolve("state"),
                        plan.guarantee(),
                        plan.commitMillis,
                        LATENESS,
                        LATENESS);
    }

    private KillReport run() throws Exception {
        Path policyFile = Files.writeString(folder.resolve("policies.yml"), policyFile());
        try (KilledAnalyzers analyzers =
                new KilledAnalyzers(folder, settings(policyFile), topics, PARTITIONS, plan.seed)) {
            analyzers.start("a");
            if (plan.kills.contains(Kill.TAKEN_OVER)) {
                analyzers.start("b");
            }
            analyzers.awaitAble();
            appendTimesInChangelog();
            try (HoveringCallers callers = new HoveringCallers(
                    topics.requests(), PARTITIONS, plan.callers, plan.seed, LIMIT, plan.windowMillis)) {
                begun = System.currentTimeMillis();
                callers.start();
                analyzers.goOn(plan.windowMillis / 2, plan.windowMillis);
                for (Kill kill : plan.kills) {
                    kill(analyzers, kill);
                    analyzers.awaitPresent();
                    analyzers.goOn(1_000, 3_000);
                }
                analyzers.goOn(plan.windowMillis / 2, plan.windowMillis / 2);
            }
            return judged(analyzers);
        }
    }

    /**
     * Lets the changelog of the windows tell when something had been counted at the latest. By default its records have the time of what was read last,
     * which in transactions is as long ago as commits take.
     */
    private void appendTimesInChangelog() throws Exception {
        TestKafka.admin()
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, changelog()),
                        List.of(new AlterConfigOp(
                                new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"),
                                AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private String changelog() {
        return topics.prefix() + "sluice-analyzer-windows-short-changelog";
    }

    private static void kill(KilledAnalyzers analyzers, Kill kill) throws Exception {
        switch (kill) {
            case RESTARTED -> {
                analyzers.killAtCommit("a");
                analyzers.restart("a");
            }
            case CATCHING_UP -> {
                analyzers.killAtCommit("a");
                analyzers.goOn(2_000, 2_000);
                long restarted = System.currentTimeMillis();
                analyzers.restart("a");
                analyzers.awaitUsageOfLivesAfter(restarted);
                analyzers.goOn(0, 200);
                analyzers.kill("a");
                analyzers.restart("a");
            }
            case TAKEN_OVER -> {
                analyzers.killAtCommit("a");
                analyzers.awaitAble();
                analyzers.restart("a");
            }
        }
        analyzers.awaitAble();
    }

    /** Everything that was sent has been counted, and the analyzers have ended: what stands on the topics is final. */
    private KillReport judged(KilledAnalyzers analyzers) throws Exception {
        try (TopicTail requestsTopic = TopicTail.committed(topics.requests());
                TopicTail usageTopic = TopicTail.committed(topics.usage());
                TopicTail windowsTopic = TopicTail.committed(changelog());
                TopicTail locksTopic = TopicTail.committed(topics.gateLocks());
                TopicTail offsetsTopic = TopicTail.committed(Commits.TOPIC)) {
            LoggedRequests requests =
                    new LoggedRequests(topics.requests(), requestsTopic.read(), new EventTimes(SKEW, LATENESS));
            KillReport.Sums exact = new KillReport.Sums(requests.panes(paneMillis()));
            SentUsage usage = new SentUsage();
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                usage.add(usageTopic.drain());
                assertThat(exact.over(new KillReport.Sums(usage.panes())))
                        .as("lost before usage; %s", analyzers)
                        .isZero();
                KillReport.Sums counted = KillReport.counted(windowsTopic.read(), policy().window(), LATENESS + SKEW);
                assertThat(exact.over(counted))
                        .as("lost in windows; %s", analyzers)
                        .isZero();
            });
            analyzers.terminate();
            usage.add(usageTopic.drain());
            LockHistory locks = new LockHistory(locksTopic.read());
            List<DueLocks.Due> due =
                    new DueLocks(policy(), LIMIT, LATENESS + SKEW).of(requests, windowsTopic.read(), locks);
            Commits commits = new Commits(topics.prefix() + "sluice-analyzer", topics.requests(), offsetsTopic.read());
            return new KillReport(
                    plan,
                    analyzers.kills(),
                    commits.longestPause(begun, analyzers.kills()),
                    requests.size(),
                    exact,
                    new KillReport.Sums(usage.panes()),
                    KillReport.counted(windowsTopic.read(), policy().window(), LATENESS + SKEW),
                    paneMillis(),
                    Verdicts.of(policies, requests, locks),
                    locks.disarmed(),
                    due.stream().map(DueLocks.Due::caller).distinct().count(),
                    due.stream()
                            .filter(it -> !it.kept(locks))
                            .map(DueLocks.Due::caller)
                            .distinct()
                            .toList());
        }
    }

    private Policy policy() {
        return policies.policies().get(0);
    }

    private long paneMillis() {
        return policy().window().paneMillis();
    }
}
