package io.sluice.analyzer.cli;

import static io.sluice.analyzer.cli.CommandResult.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why a lock is there, asked of a real broker on which a real analyzer has written. */
@Tag("server")
class WhyCommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 4;
    private static final DateTimeFormatter CLF = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: noisy
                match: { not: { caller: "hog*" } }
                per: [caller]
                window: 10m
                lock: { when: [{ above: 100 }], mode: block, for: 2m }
              - name: lasting
                match: { caller: "gone" }
                per: [caller]
                window: 10m
                lock: { when: [{ above: 100 }], mode: block, for: 10m, release: 0% }
              - name: crowd
                match: { caller: "hog*" }
                per: [caller]
                window: 2s
                panes: 10
                lock:
                  when: [{ share: 60%, of: [], beyond: 50, others: 5 }]
                  mode: throttle
                  rate: 5/s
                  shadow: true
                  release: 0%
            """);

    @TempDir
    static Path folder;

    private static TestFleet fleet;
    private static Path config;

    @BeforeAll
    static void anAnalyzer() throws Exception {
        fleet = new TestFleet(folder, PARTITIONS);
        config = start(fleet, "a");
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    private static Path start(TestFleet started, String instance) throws Exception {
        String web = TestKafka.topic(started.topics.prefix() + "web", 3);
        SourceSettings combined =
                new SourceSettings(web, "combined", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        started.start(new AnalyzerOptions(
                TestKafka.client(),
                new TopicSettings(started.topics.prefix(), PARTITIONS, (short) -1, true),
                true,
                List.of(TestFleet.json(started.topics.requests()), combined),
                started.analyzer(instance, false),
                POLICIES));
        started.awaitReady();
        return Files.writeString(folder.resolve(started.topics.prefix() + "yml"), """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: %d }
                sources:
                  - { topic: "%s", format: json }
                  - { topic: "%s", format: combined }
                """.formatted(
                TestKafka.bootstrapServers(), started.topics.prefix(), PARTITIONS, started.topics.requests(), web));
    }

    private static void awaitLock(TestFleet in, String caller) {
        await("a lock of " + caller)
                .atMost(PATIENCE)
                .until(() -> in.locks().stream().anyMatch(lock -> lock.subject().equals(List.of(caller))));
    }

    private static Policy policy(String name) {
        return POLICIES.policies().stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A lock that is missing in the decision log. */
    private static void forge(String caller, double sum, long crossed, int level, boolean guarded) {
        Evidence evidence = new Evidence(
                "above",
                sum,
                100,
                "requests",
                600_000,
                sum,
                0,
                crossed,
                crossed + 70,
                policy("noisy").revision());
        GateLock lock = new GateLock(
                "noisy",
                List.of(caller),
                Mode.BLOCK,
                0,
                0,
                600_000,
                crossed + 70,
                crossed + 600_070,
                level,
                guarded,
                guarded,
                evidence,
                new Version("forged", 1, 1));
        TestKafka.send(
                fleet.topics.gateLocks(),
                new String(CompositeKey.bytes(GateKeys.of(lock)), StandardCharsets.UTF_8),
                GateLockJson.write(lock));
    }

    @Test
    void theEvidenceOfALockHolds() {
        fleet.send("acme", 101);
        awaitLock(fleet, "acme");

        CommandResult why = run("locks", "why", "noisy", "acme", "--config", config.toString());

        assertThat(why.code()).as(why.out() + why.err()).isZero();
        assertThat(why.out())
                .startsWith("noisy acme is locked by the analyzer\n")
                .containsPattern("  mode +block\n")
                .containsPattern("  until +20.* UTC, [12]m.* from now\n")
                .containsPattern("  why +101 requests in 10m, allowed 100 \\(above\\)\n")
                .containsPattern("  crossed +20.* UTC, the newest request counted then; decided \\d+m?s later\n")
                .containsPattern("  release +when it asks for less than 50 in 10m, 50 % of what is allowed")
                .containsPattern(
                        "  evidence +holds: exactly 101 requests in the 10m before, counted 101, allowed 100\n");
    }

    @Tag("full")
    @Test
    void aLogInAnotherFormatIsRecountedAsItWasCounted() {
        String line = "203.0.113.77 - - [" + CLF.format(ZonedDateTime.now(ZoneOffset.UTC))
                + "] \"GET /orders/17 HTTP/1.1\" 200 512 \"-\" \"curl/8\"";
        List<String> lines = new ArrayList<>(Collections.nCopies(130, line));
        lines.add("not a line of a log");
        TestKafka.send(fleet.topics.prefix() + "web", lines);
        awaitLock(fleet, "203.0.113.77");

        CommandResult why = run("locks", "why", "noisy", "203.0.113.77", "--config", config.toString());

        assertThat(why.out())
                .as(why.err())
                .containsPattern("holds: exactly 130 requests in the 10m before, counted 1[0-3]\\d, allowed 100");
    }

    @Test
    void forgedEvidenceDoesNotHold() {
        long now = System.currentTimeMillis();
        TestKafka.send(fleet.topics.requests(), Collections.nCopies(3, TestFleet.event("innocent", now)));
        forge("innocent", 12_345, now, 3, true);

        CommandResult why = run("locks", "why", "noisy", "innocent", "--config", config.toString());
        CommandResult json = run("locks", "why", "noisy", "innocent", "--json", "--config", config.toString());

        assertThat(why.out())
                .containsPattern("mode +block; only reported: the guard")
                .containsPattern("level +3: repeated")
                .contains("does not hold: exactly 3 requests in the 10m before, counted 12,345, allowed 100;"
                        + " 12,342 more were counted than there are");
        assertThat(json.code()).isZero();
        assertThat(json.out())
                .startsWith("{\"policy\":\"noisy\",\"subject\":[\"innocent\"],\"locked\":true,")
                .contains("\"mode\":\"block\"", "\"level\":3", "\"guarded\":true", "\"detector\":\"above\"")
                .contains("\"recount\":{\"verdict\":\"does not hold\",\"observed\":3.0,\"sum\":3.0,");
    }

    @Tag("full")
    @Test
    void aLockOfBeforeAPolicyCountedOtherwiseCantBeRecounted() {
        long now = System.currentTimeMillis();
        Evidence evidence =
                new Evidence("above", 200, 100, "requests", 600_000, 200, 0, now, now + 70, "noisy@0000000000000000");
        GateLock lock = new GateLock(
                "noisy",
                List.of("old"),
                Mode.BLOCK,
                0,
                0,
                600_000,
                now,
                now + 600_000,
                1,
                false,
                false,
                evidence,
                new Version("forged", 1, 1));
        TestKafka.send(fleet.topics.gateLocks(), "[\"noisy\",\"old\"]", GateLockJson.write(lock));

        CommandResult why = run("locks", "why", "noisy", "old", "--config", config.toString());

        assertThat(why.out())
                .containsPattern("evidence +the policy has changed since \\(then noisy@0000000000000000, now noisy@");
    }

    @Tag("full")
    @Test
    void aShareIsRecountedFromAllOfItsGroup() {
        await("a share").atMost(PATIENCE).until(() -> {
            // over by itself: two rounds need not fall into one window
            long now = System.currentTimeMillis();
            List<String> round = new ArrayList<>(Collections.nCopies(60, TestFleet.event("hog", now)));
            round.addAll(Collections.nCopies(16, TestFleet.event("hog-neighbour", now)));
            TestKafka.send(fleet.topics.requests(), round);
            return fleet.locks().stream().anyMatch(lock -> lock.subject().equals(List.of("hog")));
        });

        CommandResult why = run("locks", "why", "crowd", "hog", "--config", config.toString());

        assertThat(why.out())
                .as(why.err())
                .containsPattern("mode +throttle 5/s over all agents together; only reported: the policy is a shadow")
                .containsPattern("closes +requests that match \\{\"caller\":\"hog\\*\"\\}")
                .containsPattern("why +[67-9]\\d.* % of \\d+ requests in 2s, allowed 60 % \\(share\\)")
                .containsPattern("holds: exactly [6-9]\\d[.\\d]* % of \\d+ requests in the 2s before, counted .*"
                        + " allowed 60 %");
    }

    @Tag("full")
    @Test
    void anOperatorsLockTellsWhoAndWhy() {
        run(
                "locks",
                "add",
                "noisy",
                "carl",
                "--mode",
                "throttle",
                "--rate",
                "3",
                "--for",
                "30m",
                "--reason",
                "incident 4711",
                "--config",
                config.toString());

        CommandResult why = run("locks", "why", "noisy", "carl", "--config", config.toString());
        CommandResult json = run("locks", "why", "noisy", "carl", "--json", "--config", config.toString());

        assertThat(why.code()).isZero();
        assertThat(why.out())
                .startsWith("noisy carl is locked by operator ")
                .containsPattern("mode +throttle 3/s over all agents together\n")
                .containsPattern("until +.*29m.* from now\n")
                .containsPattern("reason +incident 4711\n")
                .doesNotContain("evidence");
        assertThat(json.out())
                .contains("\"operator\":{\"mode\":\"throttle\",\"rate\":3.0,", "\"reason\":\"incident 4711\"");
    }

    @Tag("full")
    @Test
    void aSubjectThatAnOperatorReleasedIsNotLocked() {
        forge("dora", 101, System.currentTimeMillis(), 1, false);
        run("locks", "release", "noisy", "dora", "--reason", "they called", "--config", config.toString());

        CommandResult why = run("locks", "why", "noisy", "dora", "--config", config.toString());

        assertThat(why.code()).isEqualTo(1);
        assertThat(why.out())
                .startsWith("noisy dora is not locked: it is held open by operator ")
                .containsPattern("reason +they called\n");
    }

    @Test
    void aSubjectWithoutALockSaysSoAndItsLastRelease() {
        long now = System.currentTimeMillis();
        forge("erik", 101, now - 60_000, 1, false);
        GateLock release = new GateLock(
                "noisy",
                List.of("erik"),
                Mode.OPEN,
                0,
                0,
                600_000,
                now - 60_000,
                now - 1_000,
                1,
                false,
                false,
                null,
                new Version("forged", 1, 2));
        TestKafka.send(fleet.topics.gateLocks(), "[\"noisy\",\"erik\"]", GateLockJson.write(release));
        Evidence evidence = new Evidence(
                "above",
                101,
                100,
                "requests",
                600_000,
                101,
                0,
                now,
                now,
                policy("noisy").revision());
        decided(LockTransition.Event.OPENED, null, now - 60_000, release, evidence);
        decided(LockTransition.Event.RELEASED, LockTransition.Cause.DEMAND, now - 1_000, release, evidence);

        CommandResult never = run("locks", "why", "noisy", "nobody", "--config", config.toString());
        CommandResult released = run("locks", "why", "noisy", "erik", "--config", config.toString());
        CommandResult json = run("locks", "why", "noisy", "erik", "--json", "--config", config.toString());

        assertThat(never.code()).isEqualTo(1);
        assertThat(never.out()).contains("noisy nobody is not locked\nno earlier lock of it is recorded\n");
        assertThat(released.code()).isEqualTo(1);
        assertThat(released.out())
                .startsWith("noisy erik is not locked\n")
                .contains("  locked    " + Spans.time(now - 60_000) + " by analyzer, block: 101 requests in 10m")
                .endsWith("  released  " + Spans.time(now - 1_000) + " by analyzer, after 59s: demand fell\n");
        assertThat(json.out()).contains("\"locked\":false", "\"release\":{\"since\":" + (now - 60_000));
    }

    private static void decided(
            LockTransition.Event event, LockTransition.@Nullable Cause cause, long at, GateLock like, Evidence why) {
        GateLock lock = new GateLock(
                like.policy(),
                like.subject(),
                Mode.BLOCK,
                0,
                0,
                600_000,
                like.since(),
                like.until(),
                1,
                false,
                false,
                why,
                like.version());
        LockTransition transition = new LockTransition(event, cause, at, lock);
        TestKafka.send(
                fleet.topics.decisions(),
                CompositeKey.text(DecisionJson.key(transition)),
                DecisionJson.write(transition));
    }

    /** What 'locks history' says has ended, 'locks why' knows, too. */
    @Test
    void why_afterAnOperatorsLockHasRunOut_saysWhatHistorySays() {
        run("locks", "add", "noisy", "fred", "--for", "1s", "--reason", "a test", "--config", config.toString());

        await("the lock of fred")
                .atMost(PATIENCE)
                .until(() -> run("locks", "why", "noisy", "fred", "--config", config.toString())
                                .code()
                        == 1);
        CommandResult why = run("locks", "why", "noisy", "fred", "--config", config.toString());
        CommandResult history = run("locks", "history", "noisy", "fred", "--config", config.toString());

        assertThat(history.out()).containsPattern("locked +noisy +fred .* block for 1s: a test\n");
        assertThat(history.out()).containsPattern("expired +noisy +fred .* after 1s\n");
        assertThat(why.out())
                .startsWith("noisy fred is not locked\n")
                .containsPattern("locked +.* block for 1s: a test\n")
                .containsPattern("expired +.* after 1s\n");
    }

    @Test
    void wrongArgumentsAreRefused() {
        CommandResult policy = run("locks", "why", "noisi", "acme", "--config", config.toString());
        CommandResult values = run("locks", "why", "noisy", "--config", config.toString());
        CommandResult nothing = run("locks", "why", "--config", config.toString());

        assertThat(policy.code()).isEqualTo(1);
        assertThat(policy.err()).contains("did you mean noisy?");
        assertThat(values.err()).contains("found 0 values, 1 is needed");
        assertThat(nothing.code()).isEqualTo(2);
    }

    @Tag("full")
    @Test
    void aLogThatNoLongerReachesBackCantBeRecounted() throws Exception {
        try (TestFleet other = new TestFleet(folder, PARTITIONS)) {
            Path its = start(other, "b");
            other.send("gone", 101);
            await("its lasting lock")
                    .atMost(PATIENCE)
                    .until(() -> other.locks().stream()
                            .anyMatch(lock -> lock.policy().equals("lasting")));

            deleteAll(other);
            CommandResult empty = run("locks", "why", "lasting", "gone", "--config", its.toString());
            IntStream.range(0, 40)
                    .forEach(i -> TestKafka.send(
                            other.topics.requests(), "key-" + i, TestKafka.utf8(TestFleet.event("later"))));
            CommandResult some = run("locks", "why", "lasting", "gone", "--config", its.toString());

            assertThat(empty.code()).isZero();
            assertThat(empty.out())
                    .containsPattern("evidence +nothing is left of the request log: can't be recounted\n");
            assertThat(some.out())
                    .containsPattern(
                            "evidence +the request log reaches back to 20.* UTC only, .*: can't be recounted\n");
        }
    }

    private static void deleteAll(TestFleet of) throws Exception {
        Map<TopicPartition, RecordsToDelete> all = TestKafka.read(of.topics.requests()).stream()
                .collect(Collectors.toMap(
                        record -> new TopicPartition(record.topic(), record.partition()),
                        record -> RecordsToDelete.beforeOffset(-1),
                        (first, second) -> first));
        TestKafka.admin().deleteRecords(all).all().get();
    }
}
