package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PulseCheckTest {
    private static final TopicNames TOPICS = new TopicNames("sluice.");
    private static final long NOW = 1_763_700_000_000L;
    private static final PolicySet POLICIES = TestPolicies.above(5);

    private final Pulse pulse = new Pulse(TOPICS, 600_000, NOW);

    @Test
    void aFleetThatIsWellHasNothingWrongButTheClockThatNobodyToldOf() {
        beat(0, NOW);
        beat(1, NOW);
        active();
        agent(Freshness.FRESH, 0, NOW);

        assertThat(symptoms()).extracting(Symptom::grade).doesNotContain(Symptom.Grade.FAIL);
        assertThat(found(Symptom.Grade.WARN)).singleElement().asString().contains("can't be compared");
    }

    @ParameterizedTest
    @CsvSource({"1000, OK", "1001, WARN", "-1001, WARN", "5000, WARN", "5001, FAIL", "-5001, FAIL"})
    void aClockThatIsOffIsFound(long ahead, Symptom.Grade grade) {
        Pulse off = new Pulse(TOPICS, 600_000, NOW + ahead);
        off.present();
        off.accept(heartbeat(0, NOW), NOW + ahead);

        assertThat(PulseCheck.of(off, NOW + ahead, 5_000, 1))
                .filteredOn(it -> it.about().equals("clock"))
                .extracting(Symptom::grade)
                .containsExactly(grade);
    }

    @Test
    void clock_rightButTheMachineAnswersSlowly_isNotBlamed() {
        Pulse slow = new Pulse(TOPICS, 600_000, NOW - 9_000);
        slow.present();

        // appended eight seconds ago, read only now
        slow.accept(heartbeat(0, NOW - 8_000), NOW);

        assertThat(clock(slow, NOW)).satisfies(it -> {
            assertThat(it.grade()).isEqualTo(Symptom.Grade.OK);
            assertThat(it.found()).contains("within 9s");
        });
    }

    @ParameterizedTest
    @CsvSource({"60000, ahead of", "-60000, behind"})
    void clock_offByMoreThanTheMachineIsSlow_isBlamed(long ahead, String found) {
        Pulse slow = new Pulse(TOPICS, 600_000, NOW + ahead - 9_000);
        slow.present();

        slow.accept(heartbeat(0, NOW - 8_000), NOW + ahead);

        assertThat(clock(slow, NOW + ahead)).satisfies(it -> {
            assertThat(it.grade()).isEqualTo(Symptom.Grade.FAIL);
            assertThat(it.found()).contains(found);
        });
    }

    private static Symptom clock(Pulse pulse, long wallClock) {
        return PulseCheck.of(pulse, wallClock, 5_000, 1).stream()
                .filter(it -> it.about().equals("clock"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClockThatIsOffKillsNobody() {
        pulse.present();
        pulse.accept(heartbeat(0, NOW), NOW + 3_600_000);
        agent(Freshness.FRESH, 0, NOW);

        assertThat(PulseCheck.of(pulse, NOW + 3_600_000, 5_000, 1))
                .extracting(Symptom::found)
                .contains("1 alive")
                .noneMatch(found -> found.contains("silent"));
    }

    @Test
    void aPartitionWithoutAnAnalyzerIsWrong() {
        beat(0, NOW);

        assertThat(found(Symptom.Grade.FAIL)).anyMatch(it -> it.contains("no task decides for partitions [1] of 2"));
    }

    @Test
    void noAnalyzerAtAllIsWrong() {
        assertThat(found(Symptom.Grade.FAIL)).anyMatch(it -> it.contains("no heartbeat for"));
    }

    @ParameterizedTest
    @CsvSource({"4999, false", "5000, false", "5001, true"})
    void anAnalyzerIsSilentAfterFiveSeconds(long age, boolean silent) {
        beat(0, NOW - age);
        beat(1, NOW);

        assertThat(found(Symptom.Grade.FAIL).stream().anyMatch(it -> it.contains("no task decides")))
                .isEqualTo(silent);
    }

    @Test
    void policiesThatAreNotThereOrCantBeReadAreWrong() {
        assertThat(found(Symptom.Grade.FAIL)).anyMatch(it -> it.contains("none are in force"));

        accept(TOPICS.policies(), utf8(PolicySetJson.ACTIVE), utf8("{}"), NOW);

        assertThat(found(Symptom.Grade.FAIL)).anyMatch(it -> it.contains("the set in force can't be read: "));
    }

    @Test
    void manyPolicies_areCountedWithSeparators() {
        String yaml = IntStream.range(0, 1_001)
                .mapToObj(i -> "  - { name: p" + i + ", per: [caller], limit: { rate: 1/s } }\n")
                .collect(Collectors.joining("", "policies:\n", ""));
        accept(TOPICS.policies(), utf8(PolicySetJson.ACTIVE), PolicySetJson.writeActive(TestPolicies.yaml(yaml)), NOW);

        assertThat(found(Symptom.Grade.OK)).anyMatch(it -> it.startsWith("1,001 in force, revision "));
    }

    @Test
    void aSetThatIsAskedForAndNotTakenUpIsWrong() {
        active();
        PolicySet other = TestPolicies.above(6);
        accept(TOPICS.policies(), utf8(PolicySetJson.DESIRED), PolicySetJson.writeDesired(other), NOW - 10_001);

        assertThat(found(Symptom.Grade.FAIL)).anyMatch(it -> it.contains("(" + other.revision() + ") is not in force"));
    }

    @ParameterizedTest
    @CsvSource({"14999, true", "15000, true", "15001, false"})
    void anAgentIsDeadAfterFifteenSeconds(long age, boolean alive) {
        agent(Freshness.FRESH, 0, NOW - age);

        assertThat(symptoms().stream().anyMatch(it -> it.found().contains("1 alive")))
                .isEqualTo(alive);
        assertThat(found(Symptom.Grade.WARN).stream().anyMatch(it -> it.contains("silent")))
                .isEqualTo(!alive);
    }

    @Test
    void anAgentThatDoesNotHearOrLosesItsLogIsNamed() {
        agent(Freshness.STALE, 12, NOW);

        assertThat(found(Symptom.Grade.FAIL)).anyMatch(it -> it.contains("orders-1 of orders is stale"));
        assertThat(found(Symptom.Grade.WARN)).anyMatch(it -> it.contains("could not log 12 requests"));
    }

    @Test
    void enforcement_switchedOff_isDoubtfulAndNamesWhoAndWhy() {
        active();
        OperatorRecord off = new OperatorRecord.Enforce(null, false, 3_600_000, "ann", "incident", NOW);
        accept(TOPICS.operator(), CompositeKey.bytes(OperatorJson.key(off)), OperatorJson.write(off), NOW);

        assertThat(symptoms())
                .filteredOn(it -> it.about().equals("enforcement"))
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.grade()).isEqualTo(Symptom.Grade.WARN);
                    assertThat(it.found()).isEqualTo("enforcement is off everywhere, by ann: incident; on again in 1h");
                    assertThat(it.remedy()).contains("enforce on");
                });
    }

    @Test
    void enforcement_on_isWell() {
        active();

        assertThat(symptoms())
                .filteredOn(it -> it.about().equals("enforcement"))
                .extracting(Symptom::grade)
                .containsExactly(Symptom.Grade.OK);
    }

    @Test
    void whateverIsNotWellHasARemedy() {
        agent(Freshness.STALE, 12, NOW - 60_000);

        assertThat(symptoms())
                .filteredOn(it -> it.grade() != Symptom.Grade.OK)
                .allSatisfy(it -> assertThat(it.remedy()).isNotEmpty());
    }

    private List<Symptom> symptoms() {
        return PulseCheck.of(pulse, NOW, 5_000, 2);
    }

    private List<String> found(Symptom.Grade grade) {
        return symptoms().stream()
                .filter(it -> it.grade() == grade)
                .map(Symptom::found)
                .toList();
    }

    @Test
    void memory_usedUp_isDoubtfulAndNamesTheInstance() {
        var version = new Version("decide-0", 1, 1);
        var beat = new AnalyzerHeartbeat(version, "crowded", NOW, Map.of(), Map.of(), Map.of(), 7);
        pulse.accept(
                record(TOPICS.gateLocks(), 0, CompositeKey.bytes(GateKeys.of(beat)), GateLockJson.write(beat), NOW),
                NOW);

        assertThat(found(Symptom.Grade.WARN))
                .anySatisfy(line -> assertThat(line).contains("heap budget of crowded was used up"));
    }

    @Test
    void strategiesWithoutAnswers_areDoubtfulAndNamed() {
        AgentHeartbeat beat = new AgentHeartbeat(
                "orders-1",
                "orders",
                Freshness.FRESH,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                true,
                List.of("redis", "sql for sliding-log"),
                List.of("store-unanswered"),
                0);
        accept(TOPICS.agents(), AgentHeartbeatJson.key("orders-1"), AgentHeartbeatJson.write(beat), NOW);

        assertThat(found(Symptom.Grade.WARN))
                .contains(
                        "agent orders-1 of orders has no answers of redis, sql for sliding-log: it applies its share of"
                                + " the limits that name it as their strategy");
    }

    @Test
    void idOfSeveralProcesses_isDoubtfulAndNamed() {
        for (int i = 0; i < 3; i++) {
            for (long run = 1; run <= 2; run++) {
                AgentHeartbeat beat = new AgentHeartbeat(
                        "orders-1",
                        "orders",
                        Freshness.FRESH,
                        0,
                        0,
                        0,
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        true,
                        List.of(),
                        List.of(),
                        run);
                accept(
                        TOPICS.agents(),
                        AgentHeartbeatJson.key("orders-1"),
                        AgentHeartbeatJson.write(beat),
                        NOW - 10_000 + 4_000L * i + run);
            }
        }

        assertThat(found(Symptom.Grade.WARN))
                .contains("agent orders-1 of orders: 2 processes have this id: only the counts and the state of the"
                        + " newest heartbeat are shown");
    }

    private void reasons(String agent, String... codes) {
        AgentHeartbeat beat = new AgentHeartbeat(
                agent,
                "orders",
                Freshness.FRESH,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                true,
                List.of(),
                List.of(codes),
                0);
        accept(TOPICS.agents(), AgentHeartbeatJson.key(agent), AgentHeartbeatJson.write(beat), NOW);
    }

    @Test
    void reasons_ofAgents_areNamedWithWhatToDo() {
        reasons("a-1", "leases-cut", "off-by-setting", "later-reason");
        reasons("a-2", "leases-cut");

        assertThat(symptoms())
                .contains(
                        Symptom.warn(
                                "agents",
                                "agents a-1 of orders, a-2 of orders: leases-cut, analyzers lock for longer than"
                                        + " agent.max-lease allows: it may end locks early",
                                "set agent.max-lease of its settings to analyzer.max-lease or more"),
                        Symptom.warn(
                                "agents",
                                "agent a-1 of orders: off-by-setting, its own settings switch rejections off",
                                "agent.enforce: true in its settings, when it is to reject"),
                        Symptom.warn(
                                "agents",
                                "agent a-1 of orders: later-reason, a reason of a newer version",
                                "its own status names it in words; update these commands to the agents' version"));
    }

    @Test
    void reasons_ofManyAgents_takeOneFindingThatNamesSome() {
        for (int i = 0; i < 1_200; i++) {
            reasons("a-" + (1000 + i), "table-full", "off-by-operator");
        }

        assertThat(found(Symptom.Grade.WARN))
                .filteredOn(line -> line.contains("table-full"))
                .singleElement()
                .asString()
                .startsWith("agents a-1000 of orders, ")
                .contains("a-1004 of orders and 1,195 more: table-full, ");
        assertThat(found(Symptom.Grade.WARN)).noneMatch(line -> line.contains("off-by-operator"));
    }

    @ParameterizedTest
    @EnumSource(AgentReason.class)
    void reasons_each_isInTheDocs(AgentReason reason) throws IOException {
        assertThat(Files.readString(Path.of("../../docs/operations.md")))
                .contains("| `" + reason.code() + "` | " + reason.meaning() + " | ");
    }

    private void active() {
        accept(TOPICS.policies(), utf8(PolicySetJson.ACTIVE), PolicySetJson.writeActive(POLICIES), NOW);
    }

    private void beat(int partition, long append) {
        pulse.accept(heartbeat(partition, append), NOW);
    }

    private static ConsumerRecord<byte[], byte[]> heartbeat(int partition, long append) {
        AnalyzerHeartbeat beat =
                new AnalyzerHeartbeat(new Version("decide-" + partition, 1, 1), "one", append, Map.of());
        return record(
                TOPICS.gateLocks(), partition, CompositeKey.bytes(GateKeys.of(beat)), GateLockJson.write(beat), append);
    }

    private void agent(Freshness freshness, long drops, long append) {
        AgentHeartbeat beat =
                new AgentHeartbeat("orders-1", "orders", freshness, 0, 0, 0, drops, 0, Map.of(), Map.of());
        accept(TOPICS.agents(), AgentHeartbeatJson.key("orders-1"), AgentHeartbeatJson.write(beat), append);
    }

    private void accept(String topic, byte[] key, byte[] value, long append) {
        pulse.accept(record(topic, 0, key, value, append), NOW);
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String topic, int partition, byte[] key, byte[] value, long append) {
        return new ConsumerRecord<>(
                topic,
                partition,
                0,
                append,
                TimestampType.LOG_APPEND_TIME,
                key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
