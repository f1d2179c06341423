package io.sluice.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.history.KeptRecords;
import io.sluice.faults.history.LockSpans.Decision;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.net.RequestLog;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.FakeTime;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.process.Needs;
import io.sluice.faults.report.Reliability;
import io.sluice.kafka.embedded.KafkaProcess;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Today's analyzer begins where an earlier build ended, with all that this left on its topics and changelogs. Broker and analyzer
 * live at the time at which it ended: what was counted then is still counted.
 */
class YesterdaysStateTest {
    private static final String PREFIX = "y.";
    private static final int PARTITIONS = 2;
    private static final int LIMIT = 50;
    private static final String POLICIES = """
            guard: { subjects: 100%%, atLeast: 1000 }
            policies:
              - name: counted
                match: { caller: [almost, held, "calm-*"] }
                per: [caller]
                window: 10m
                lock: { when: [{ above: %d }], mode: block, for: 10m }
            """.formatted(LIMIT);
    private static final String MORE_POLICIES = POLICIES + """
              - name: routes
                match: { caller: curious }
                per: [caller]
                measure: { distinct: route }
                window: 10m
                lock: { when: [{ above: 5 }], mode: block, for: 10m }
              - name: again
                match: { caller: again }
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: 20 }], mode: block, for: 1s, escalate: { factor: 10, upTo: 1h, forget: 24h } }
              - name: spiky
                match: { caller: spiky }
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ spike: 5, baseline: 20s, floor: 10 }], mode: block, for: 10m }
            """;
    private static final Map<String, Object> FIGURES = new LinkedHashMap<>();

    @TempDir
    Path folder;

    @AfterAll
    static void tell() {
        if (!FIGURES.isEmpty()) {
            Reliability.tell(
                    15,
                    "analyzer upgraded over the state of an earlier build",
                    "state of the same format is kept: windows, baselines, leases, repeats; distinct values of another key count "
                            + "anew; of an earlier format it is left alone, locks run out and detection goes on",
                    YesterdaysStateTest.class,
                    FIGURES);
        }
    }

    /** The format of today: what is kept here has to be kept by every later build. */
    @Test
    void stateOfTheSameFormatIsKept() throws Exception {
        KeptRecords kept = KeptRecords.read(file("format-2.records"));
        FakeTime time = timeOf(kept);
        try (KafkaProcess broker =
                        KafkaProcess.builder().environment(time.environment()).start();
                Surroundings around = upgraded(broker, kept, time, MORE_POLICIES);
                RequestLog log = around.log()) {
            around.bystanders(log, "calm-", 40);
            call(log, "almost", 1);
            // five values were counted before, without a key or under that of another topic: they must not count again
            for (int i = 0; i < 6; i++) {
                log.add("curious", "/value-" + i, System.currentTimeMillis());
            }
            call(log, "again", 30);
            call(log, "spiky", 60);
            log.flush();

            around.awaitEverywhere(List.of("almost"), "LOCKED:counted");
            around.awaitEverywhere(List.of("curious"), "LOCKED:routes");
            around.awaitEverywhere(List.of("spiky"), "LOCKED:spiky");
            around.awaiting(
                    () -> assertThat(newest(around, "again").lock().level()).isEqualTo(2));
            assertThat(requireNonNull(newest(around, "almost").lock().evidence())
                            .sum())
                    .isEqualTo((double) (LIMIT + 1));
            assertThat(requireNonNull(newest(around, "curious").lock().evidence())
                            .observed())
                    .isEqualTo(6);
            around.awaiting(() -> {
                List<Decision> held = of(around, "held");
                assertThat(held).hasSizeGreaterThan(1);
                Decision before = held.get(0);
                Decision after = held.get(held.size() - 1);
                assertThat(after.lock().since())
                        .as("renewed, not opened anew")
                        .isEqualTo(before.lock().since());
                assertThat(after.lock().version().epoch())
                        .isGreaterThan(before.lock().version().epoch());
            });
            around.awaitEverywhere(List.of("held"), "LOCKED:counted");
            assertThat(around.heartbeats().backwards()).isEmpty();
            FIGURES.put("records of the same format", kept.records().size() + ", all read");
        }
    }

    /** The format before: what it meant to count is forgotten, and nothing worse. */
    @Test
    void stateOfAnEarlierFormatIsLeftAloneAndDetectionGoesOn() throws Exception {
        KeptRecords kept = KeptRecords.read(file("format-1.records"));
        FakeTime time = timeOf(kept);
        try (KafkaProcess broker =
                        KafkaProcess.builder().environment(time.environment()).start();
                Surroundings around = upgraded(broker, kept, time, POLICIES);
                RequestLog log = around.log()) {
            around.awaitEverywhere(List.of("held"), "pass");
            call(log, "almost", LIMIT);
            log.flush();
            Surroundings.pass(1_000);
            assertThat(around.notPassing(List.of("almost", "held"))).isEmpty();
            around.bystanders(log, "calm-", 40);
            call(log, "almost", 1);
            call(log, "held", LIMIT + 1);
            log.flush();

            around.awaitEverywhere(List.of("almost", "held"), "LOCKED:counted");
            assertThat(newest(around, "held").lock().version().epoch())
                    .isGreaterThan(of(around, "held").get(0).lock().version().epoch());
            assertThat(around.heartbeats().backwards()).isEmpty();
            FIGURES.put("of the format before", kept.records().size() + ", forgotten");
        }
    }

    /** How such a file is made: {@code -Dsluice.faults.keep=FILE}, with the build whose state is to be kept. */
    @Test
    @EnabledIfSystemProperty(named = "sluice.faults.keep", matches = ".+")
    void keep() throws Exception {
        boolean more = !Boolean.getBoolean("sluice.faults.keep.first");
        try (KafkaProcess broker = KafkaProcess.builder().start();
                Surroundings around = new Surroundings(
                        folder,
                        broker.bootstrapServers(),
                        PREFIX,
                        PARTITIONS,
                        more ? MORE_POLICIES : POLICIES,
                        "max-lease: 10s")) {
            JavaProcess analyzer = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");
            try (RequestLog log = around.log()) {
                call(log, "almost", LIMIT);
                call(log, "held", LIMIT + 10);
                log.flush();
                around.awaiting(() -> assertThat(of(around, "held")).isNotEmpty());
                if (more) {
                    for (int route = 1; route <= 5; route++) {
                        log.add("curious", "/" + "abcde".charAt(route - 1), System.currentTimeMillis());
                    }
                    call(log, "again", 30);
                    log.flush();
                    around.awaiting(() -> assertThat(of(around, "again")).isNotEmpty());
                    for (int i = 0; i < 60; i++) {
                        call(log, "spiky", 1);
                        Surroundings.pass(250);
                    }
                    log.flush();
                    Surroundings.pass(1_000);
                }
            }
            analyzer.terminate();
            assertThat(analyzer.exit(Surroundings.PATIENCE)).contains(143);
            KeptRecords.of(around.bootstrap, kept(around)).write(Path.of(System.getProperty("sluice.faults.keep")));
        }
    }

    private static void call(RequestLog log, String caller, int times) {
        for (int i = 0; i < times; i++) {
            log.add(caller, System.currentTimeMillis());
        }
    }

    /** What the analyzer reads when it starts; what it has read and counted is left out. */
    private static Set<String> kept(Surroundings around) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", around.bootstrap))) {
            Set<String> topics = new TreeSet<>(admin.listTopics().names().get());
            topics.removeIf(topic -> !topic.startsWith(PREFIX));
            topics.removeAll(Set.of(around.topics.requests(), around.topics.usage(), around.topics.deadLetters()));
            return topics;
        }
    }

    private FakeTime timeOf(KeptRecords kept) {
        FakeTime time = Needs.present(FakeTime.in(folder), "libfaketime");
        time.step(Duration.ofMillis(kept.newest() + 1_000 - System.currentTimeMillis()));
        return time;
    }

    private Surroundings upgraded(KafkaProcess broker, KeptRecords kept, FakeTime time, String policies) {
        OurTopics.make(broker.bootstrapServers(), PREFIX, PARTITIONS);
        kept.bring(broker.bootstrapServers(), PARTITIONS);
        Surroundings around =
                new Surroundings(folder, broker.bootstrapServers(), PREFIX, PARTITIONS, policies, "max-lease: 10s");
        around.start(around.analyzer("a").with(time.environment()));
        around.awaitAble(kept.newest() + 500, "a");
        AgentProcess agent = around.agent("agent-1", Map.of(), "held");
        assertThat(agent.status()).contains("malformed=0");
        return around;
    }

    private static List<Decision> of(Surroundings around, String caller) {
        return around.locks().decisions().stream()
                .filter(it -> it.lock().subject().contains(caller))
                .toList();
    }

    private static Decision newest(Surroundings around, String caller) {
        List<Decision> decisions = of(around, caller);
        return decisions.get(decisions.size() - 1);
    }

    private static Path file(String name) throws URISyntaxException {
        var resource = YesterdaysStateTest.class.getResource("kept/" + name);
        if (resource == null) {
            throw new IllegalStateException("no resource kept/" + name);
        }
        return Path.of(resource.toURI());
    }
}
