package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The topology, record by record, without a broker. */
class AnalyzerTopologyTest {
    private static final long START = 1_763_700_000_000L;

    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: many
                per: [caller]
                window: 10s
                panes: 20
                lock: { when: [{ above: 120 }], mode: throttle, rate: 5/s, for: 20s }
              - name: crowding
                per: [caller, service]
                window: 20s
                panes: 40
                lock: { when: [{ share: 50%, of: [service], beyond: 60 }], mode: block, for: 30s }
              - name: heavy
                per: [service]
                measure: bytes
                window: 10s
                panes: 50
                lock: { when: [{ above: 70KB }], mode: shadow, for: 15s }
              - name: dear
                per: [caller]
                measure: cost
                window: 10s
                panes: 20
                lock: { when: [{ above: 6000 }], mode: shadow, for: 15s }
            """);

    @TempDir
    Path state;

    private record Seen(
            String policy, List<String> subject, long at, Mode mode, double observed, double threshold, double sum) {}

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(1, 3));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void replayAndTopologyAgree(long seed) throws Exception {
        List<Line> lines = lines(new Random(seed));

        List<Seen> replayed = replay(lines);
        List<Seen> driven = drive(lines);

        assertThat(replayed).extracting(Seen::policy).contains("many", "crowding", "heavy", "dear");
        assertThat(driven).containsExactlyInAnyOrderElementsOf(replayed);
    }

    private static List<Seen> replay(List<Line> lines) throws Exception {
        var format = LogFormats.of(TestFleet.json("requests"));
        try (ReplayEngine replay = new ReplayEngine(POLICIES)) {
            for (Line line : lines) {
                replay.add(format.read(line.bytes()));
            }
            return replay.locks().stream()
                    .map(lock -> new Seen(
                            lock.policy(),
                            lock.subject(),
                            lock.at(),
                            Mode.valueOf(lock.mode().toUpperCase(Locale.ROOT)),
                            lock.evidence().observed(),
                            lock.evidence().threshold(),
                            lock.evidence().sum()))
                    .toList();
        }
    }

    private List<Seen> drive(List<Line> lines) {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START - 1000)) {
            for (Line line : lines) {
                analyzer.passUntil(line.time());
                analyzer.append(null, line.bytes());
                analyzer.pass(3);
            }
            List<Seen> seen = new ArrayList<>();
            for (GateLock lock : analyzer.locks) {
                if (lock.mode() != Mode.OPEN) {
                    var evidence = lock.evidence();
                    Seen each = new Seen(
                            lock.policy(),
                            lock.subject(),
                            evidence.crossed(),
                            lock.mode(),
                            evidence.observed(),
                            evidence.threshold(),
                            evidence.sum());
                    // a renewal repeats the evidence of the opening
                    if (!seen.contains(each)) {
                        seen.add(each);
                    }
                }
            }
            return seen;
        }
    }

    private record Line(long time, String caller, String service, int bytesSent) {
        byte[] bytes() {
            return TestKafka.utf8(
                    "{\"time\":%d,\"caller\":\"%s\",\"service\":\"%s\",\"status\":200,\"bytes\":%d,\"cost\":%d}"
                            .formatted(time, caller, service, bytesSent, bytesSent / 10));
        }
    }

    /** Two minutes of twelve callers, some of which turn noisy for a while; never two events within a tick's reach. */
    private static List<Line> lines(Random random) {
        List<Line> lines = new ArrayList<>();
        long time = START;
        while (time < START + 120_000) {
            long second = (time - START) / 1000;
            boolean noisy = second % 40 > 25 && random.nextInt(10) < 7;
            String caller = noisy ? "noisy-" + second / 40 : "caller-" + random.nextInt(12);
            String service = random.nextInt(3) == 0 ? "search" : "orders";
            lines.add(new Line(time, caller, service, random.nextInt(1000)));
            time += 25 + random.nextInt(noisy ? 20 : 80);
        }
        return lines;
    }

    @Test
    void whatCantBeReadIsPutAsideAndStopsNothing() {
        byte[] junk = new byte[10_000];
        Arrays.fill(junk, (byte) 'x');
        byte[] key = {1, 2, 3};
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.append(key, junk);
            analyzer.append(key, null);
            analyzer.append(null, TestKafka.utf8(TestFleet.event("a", START)));
            analyzer.pass(3);

            assertThat(analyzer.count(Count.EVENTS)).isEqualTo(1);
            assertThat(analyzer.count(Count.DEAD_LETTERS)).isEqualTo(2);
            assertThat(analyzer.deadLetters).hasSize(2);
            TestRecord<byte[], byte[]> dead = analyzer.deadLetters.get(0);
            assertThat(dead.key()).isEqualTo(key);
            assertThat(dead.value()).hasSize(4096);
            assertThat(header(dead, DeadLetter.REASON)).isNotEmpty().doesNotContain("xxx");
            assertThat(header(dead, DeadLetter.TOPIC)).isEqualTo("sluice.requests");
            assertThat(header(dead, DeadLetter.PARTITION)).isEqualTo("0");
            assertThat(header(dead, DeadLetter.OFFSET)).isEqualTo("0");
            assertThat(header(dead, DeadLetter.LENGTH)).isEqualTo("10000");
            assertThat(header(analyzer.deadLetters.get(1), DeadLetter.LENGTH)).isEqualTo("-1");
        }
    }

    private static String header(TestRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    @Test
    void decisions_lockThatIsRewrittenAndReleased_areItsTransitionsAlone() throws Exception {
        PolicySet lasting = TestPolicies.policies("{'name':'p','per':['caller'],'window':'1m',"
                + "'lock':{'when':[{'above':60}],'for':'2h','release':'50%'}}");
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, lasting, START)) {
            for (int i = 0; i < 70; i++) {
                analyzer.append(null, TestKafka.utf8(TestFleet.event("acme", analyzer.now())));
            }
            analyzer.pass(3);
            analyzer.passUntil(START + 120_000);

            assertThat(analyzer.locks).last().extracting(GateLock::mode).isEqualTo(Mode.OPEN);
            assertThat(analyzer.decisions)
                    .extracting(record -> new String(record.key(), StandardCharsets.UTF_8))
                    .containsOnly("[\"p\",\"acme\"]");
            assertThat(transitions(analyzer))
                    .extracting(LockTransition::event, LockTransition::cause)
                    .containsExactly(
                            tuple(LockTransition.Event.OPENED, null),
                            tuple(LockTransition.Event.RELEASED, LockTransition.Cause.DEMAND));
            assertThat(transitions(analyzer))
                    .allSatisfy(transition ->
                            assertThat(transition.lock().evidence()).isNotNull());
        }
    }

    private static List<LockTransition> transitions(DrivenAnalyzer analyzer) throws MalformedRecord {
        List<LockTransition> transitions = new ArrayList<>();
        for (TestRecord<byte[], byte[]> record : analyzer.decisions) {
            transitions.add((LockTransition)
                    DecisionJson.read(record.key(), record.value()).orElseThrow());
        }
        return transitions;
    }

    @Test
    void thePastIsNotTurnedIntoThePresent() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            for (int i = 0; i < 500; i++) {
                analyzer.append(null, TestKafka.utf8(TestFleet.event("old", START - 60_001)));
                analyzer.append(null, TestKafka.utf8(TestFleet.event("stale", START - 40_000)));
            }
            analyzer.pass(3);

            assertThat(analyzer.count(Count.LATE)).isEqualTo(500);
            assertThat(analyzer.count(Count.SILENCED)).isPositive();
            assertThat(analyzer.locks).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 100_000_000})
    void aRecordThatNobodyGaveATimeStopsNothing(long none) {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START, true)) {
            analyzer.append(null, TestKafka.utf8(TestFleet.event("a", START)), none);
            analyzer.passUntil(START + 2_000);
            analyzer.append(null, TestKafka.utf8(TestFleet.event("b", START + 2_000)), START + 2_000);
            analyzer.pass(3);

            assertThat(analyzer.count(Count.EVENTS)).isEqualTo(2);
            assertThat(analyzer.count(Count.LATE)).isZero();
        }
    }

    @Test
    void aTimeFromTheFutureCountsAsNow() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            for (int i = 0; i < 121; i++) {
                analyzer.append(null, TestKafka.utf8(TestFleet.event("fast-clock", START + 3_500_000)));
            }
            analyzer.pass(3);

            assertThat(analyzer.locks).extracting(GateLock::policy).contains("many");
            assertThat(analyzer.locks.get(0).evidence().crossed()).isLessThanOrEqualTo(analyzer.now());
        }
    }

    @Test
    void newPoliciesTakeEffectAtTheNextRecord() {
        PolicySet none = TestPolicies.yaml("policies: []");
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, none, START)) {
            append(analyzer, 121);
            assertThat(analyzer.locks).isEmpty();

            analyzer.fleet.policies(POLICIES);
            append(analyzer, 120);
            assertThat(analyzer.locks).extracting(GateLock::policy).doesNotContain("many");
            append(analyzer, 1);

            assertThat(analyzer.locks).extracting(GateLock::policy).contains("many");
        }
    }

    private static void append(DrivenAnalyzer analyzer, int events) {
        for (int i = 0; i < events; i++) {
            analyzer.append(null, TestKafka.utf8(TestFleet.event("a", analyzer.now())));
        }
        analyzer.pass(3);
    }

    @Test
    void removingAPolicyOpensItsLocks() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            append(analyzer, 121);
            assertThat(analyzer.locks).extracting(GateLock::mode).contains(Mode.THROTTLE);

            analyzer.fleet.policies(TestPolicies.yaml("policies: []"));
            analyzer.passUntil(analyzer.now() + 500);

            assertThat(analyzer.locks.get(analyzer.locks.size() - 1).mode()).isEqualTo(Mode.OPEN);
        }
    }

    /** It would be the newest of its task: stored windows expire by it. */
    @Test
    void usageOfAnotherTime_isADeadLetterAndCountingGoesOn() {
        String revision = POLICIES.policies().get(0).revision();
        long pane = POLICIES.policies().get(0).window().paneOf(START);
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            long[][] forged = {
                {pane, Long.MAX_VALUE},
                {Long.MAX_VALUE, START},
                {0, START},
                {pane, START + 3_600_000},
                {pane + 1, START}
            };
            for (long[] paneAndTime : forged) {
                UsagePartial partial = new UsagePartial(
                        false, paneAndTime[0], 1, 1, 0, paneAndTime[1], paneAndTime[1], new Origin(0, 1), 1);
                analyzer.usage(new UsageKey(revision, List.of("forged")).bytes(), UsageCodec.write(partial));
            }
            byte[] noSuchMeter =
                    UsageCodec.write(new UsagePartial(false, pane, 1, 1, 0, START, START, new Origin(7, 1), 1));
            analyzer.usage(new UsageKey(revision, List.of("forged")).bytes(), noSuchMeter);
            byte[] position = UsageCodec.write(new MeterPosition(Long.MAX_VALUE, new Origin(0, 1), 1));
            analyzer.usage(UsageKey.ofMeter(0).bytes(), position);

            append(analyzer, 121);
            assertThat(analyzer.count(Count.OPENED)).isPositive();
            analyzer.passUntil(START + 60_000);
            assertThat(analyzer.count(Count.RELEASED)).isPositive();
            assertThat(analyzer.deadLetters).hasSize(forged.length + 2);
        }
    }

    @Test
    void nobodyWaitsForAMeterThatIsNotThere() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            byte[] position = UsageCodec.write(new MeterPosition(1, new Origin(7, 1), 1));
            analyzer.usage(UsageKey.ofMeter(7).bytes(), position);
            assertThat(analyzer.deadLetters)
                    .singleElement()
                    .satisfies(
                            dead -> assertThat(header(dead, DeadLetter.REASON)).contains("no such meter"));
            append(analyzer, 121);
            assertThat(analyzer.count(Count.OPENED)).isPositive();
            analyzer.passUntil(START + 120_000);

            // whether demand has gone is judged where all meters have arrived
            assertThat(analyzer.count(Count.RELEASED)).isPositive();
        }
    }

    @Test
    void metersThatLagBehindReleaseNobody() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            append(analyzer, 1);
            analyzer.passUntil(START + 4_000);
            analyzer.lag(1_500);
            analyzer.passUntil(START + 5_200);
            append(analyzer, 120);
            analyzer.passUntil(analyzer.now() + 1_000);

            assertThat(analyzer.locks)
                    .filteredOn(lock -> lock.policy().equals("many"))
                    .extracting(GateLock::mode)
                    .containsExactly(Mode.THROTTLE);
        }
    }
}
