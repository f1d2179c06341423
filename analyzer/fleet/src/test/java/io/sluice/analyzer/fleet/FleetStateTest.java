package io.sluice.analyzer.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class FleetStateTest {
    private static final TopicNames TOPICS = new TopicNames("sluice.");
    private static final long NOW = 1_763_700_000_000L;
    private static final long HOUR = 3_600_000;
    /** A moment at which everything that is known still holds. */
    private static final long BEFORE = 0;

    private final FleetState fleet = new FleetState(TOPICS, 600_000, () -> 0);

    @Test
    void now_recordsThatComeLive_areBelieved_whateverTheWallClock() {
        fleet.caughtUp();
        sign(NOW);

        assertThat(fleet.now(NOW + 24 * HOUR)).isBetween(NOW, NOW + HOUR);
        assertThat(fleet.now(NOW - 24 * HOUR)).isBetween(NOW, NOW + HOUR);
        assertThat(fleet.silent(NOW + 24 * HOUR)).isFalse();
    }

    @Test
    void now_onlyOldRecords_isTheWallClocks_unlessThatIsBehind() {
        sign(NOW);

        assertThat(fleet.silent(NOW + HOUR)).isTrue();
        assertThat(fleet.now(NOW + HOUR)).isEqualTo(NOW + HOUR);
        assertThat(fleet.now(NOW - HOUR)).isBetween(NOW, NOW + HOUR);
    }

    @Test
    void now_theNewestRecordIsSecondsOld_isTheWallClocks() {
        sign(NOW);
        fleet.caughtUp();

        assertThat(fleet.silent(NOW + 3_000)).isFalse();
        assertThat(fleet.now(NOW + 3_000)).isEqualTo(NOW + 3_000);
    }

    @Test
    void now_noRecord_isTheWallClocks() {
        assertThat(fleet.now(NOW)).isEqualTo(NOW);
    }

    @Test
    void now_policiesWithTheTimeOfAWriterWhoseClockIsAhead_moveNothing() {
        fleet.caughtUp();
        sign(NOW);
        lock("acme", NOW + HOUR, NOW);
        release("ann", 60_000);
        enforceOff(60_000);

        policiesOfAProducer(NOW + HOUR / 3);

        assertThat(fleet.policies()).isNotNull();
        assertThat(fleet.newest()).isEqualTo(NOW);
        assertThat(fleet.now(NOW)).isEqualTo(NOW);
        assertThat(fleet.locks(NOW)).hasSize(1);
        assertThat(fleet.operators(NOW)).hasSize(2);
        assertThat(fleet.switchedOff(NOW)).hasSize(1);
    }

    @Test
    void now_onlyPoliciesWithTheTimeOfTheirWriterComeLive_isTheWallClocks() {
        fleet.caughtUp();

        policiesOfAProducer(NOW - HOUR);

        assertThat(fleet.now(NOW)).isEqualTo(NOW);
        assertThat(fleet.silent(NOW)).isTrue();
    }

    @Test
    void analyzers_heartbeatOfAnotherPartitionsTask_isLeftOut() {
        var foreign = new AnalyzerHeartbeat(new Version("decide-1", 9, 2), "other", NOW, Map.of());
        sign(NOW);
        record(
                TOPICS.gateLocks(),
                CompositeKey.bytes(GateKeys.heartbeat("decide-1")),
                GateLockJson.write(foreign),
                NOW + 1);

        assertThat(fleet.analyzers().get(0).record().instance()).isEqualTo("one");
    }

    @Test
    void locksThatRanOutAreForgotten() {
        fleet.caughtUp();
        for (int caller = 0; caller < 1_000; caller++) {
            lock("caller-" + caller, NOW + 1_000, NOW);
            record(TOPICS.gateLocks(), key("caller-" + caller), null, NOW + 1_500);
        }
        assertThat(fleet.locks(BEFORE)).hasSize(1_000);

        sign(NOW + HOUR);

        assertThat(fleet.locks(BEFORE)).isEmpty();
    }

    @Test
    void sweep_lockWhoseLeaseWasRenewed_isKept() {
        fleet.caughtUp();
        lock("acme", NOW + 2 * HOUR, NOW);
        lock("acme", NOW + 2 * HOUR, NOW + HOUR - 500);

        sign(NOW + HOUR);

        assertThat(fleet.locks(NOW + HOUR)).hasSize(1);
    }

    @Test
    void locks_leaseOverButMeantToLast_areNotHeld() {
        lock("acme", NOW + HOUR, NOW);

        assertThat(fleet.locks(NOW + 999)).hasSize(1);
        assertThat(fleet.locks(NOW + 1_000)).isEmpty();
    }

    @Test
    void operators_ofOtherAttributesThanThePolicyCountsBy_areLeftOut() {
        record(
                TOPICS.policies(),
                PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8),
                PolicySetJson.writeActive(TestPolicies.above(60)),
                NOW);
        OperatorRecord said = new OperatorRecord.Lock(
                "p", List.of("orders"), List.of("service"), Mode.BLOCK, 0, HOUR, "ann", "why", NOW);
        record(TOPICS.operator(), CompositeKey.bytes(OperatorJson.key(said)), OperatorJson.write(said), NOW);
        release("by-caller", HOUR);

        assertThat(fleet.operators(NOW + 1))
                .extracting(it -> it.record().author())
                .containsExactly("by-caller");
    }

    @Test
    void operatorRecordOfANewerFormatOrDamaged_leavesWhatIsInForce() {
        OperatorRecord off = new OperatorRecord.Enforce(null, false, HOUR, "bob", "incident", NOW);
        byte[] key = CompositeKey.bytes(OperatorJson.key(off));
        release("ann", HOUR);
        record(TOPICS.operator(), key, OperatorJson.write(off), NOW);
        for (String value : List.of("{", "{\"type\":\"operator-enforce\",\"format\":99}")) {
            record(TOPICS.operator(), key, value.getBytes(StandardCharsets.UTF_8), NOW + 1);
            record(
                    TOPICS.operator(),
                    CompositeKey.bytes(List.of("p", "ann")),
                    value.getBytes(StandardCharsets.UTF_8),
                    NOW + 1);
        }

        assertThat(fleet.operators(NOW + 2))
                .extracting(it -> it.record().author())
                .containsExactlyInAnyOrder("ann", "bob");
        assertThat(fleet.switchedOff(NOW + 2)).hasSize(1);

        record(TOPICS.operator(), key, null, NOW + 3);
        assertThat(fleet.switchedOff(NOW + 4)).isEmpty();
    }

    @Test
    void agentsThatDiedAreForgottenAfterAnHour() {
        fleet.caughtUp();
        beat("dead", NOW);
        beat("alive", NOW + 1);

        sign(NOW + HOUR + 1);

        assertThat(fleet.agents().all())
                .extracting(said -> said.record().agent())
                .containsExactly("alive");
    }

    @Test
    void whatOperatorsSaidIsForgottenWhenItIsOver() {
        fleet.caughtUp();
        release("a-minute", 60_000);
        release("for-ever", 0);
        release("longer-than-time", Long.MAX_VALUE);

        sign(NOW + HOUR);

        assertThat(fleet.operators(BEFORE))
                .extracting(said -> said.record().author())
                .containsExactlyInAnyOrder("for-ever", "longer-than-time");
    }

    private void lock(String caller, long until, long append) {
        GateLock lock = new GateLock(
                "p",
                List.of(caller),
                Mode.BLOCK,
                0,
                0,
                1_000,
                append,
                until,
                1,
                false,
                false,
                null,
                new Version("decide-0", 1, 1));
        record(TOPICS.gateLocks(), key(caller), GateLockJson.write(lock), append);
    }

    private static byte[] key(String caller) {
        return CompositeKey.bytes(GateKeys.key("p", List.of(caller)));
    }

    private void release(String author, long ttl) {
        OperatorRecord said = new OperatorRecord.Release("p", List.of(author), ttl, author, "a mistake", NOW);
        record(TOPICS.operator(), CompositeKey.bytes(OperatorJson.key(said)), OperatorJson.write(said), NOW);
    }

    private void enforceOff(long ttl) {
        OperatorRecord off = new OperatorRecord.Enforce(null, false, ttl, "bob", "incident", NOW);
        record(TOPICS.operator(), CompositeKey.bytes(OperatorJson.key(off)), OperatorJson.write(off), NOW);
    }

    private void beat(String agent, long append) {
        AgentHeartbeat beat = new AgentHeartbeat(agent, "orders", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of(), Map.of());
        record(TOPICS.agents(), AgentHeartbeatJson.key(agent), AgentHeartbeatJson.write(beat), append);
    }

    /** An analyzer's sign of life, which tells the time and nothing else. */
    private void sign(long append) {
        var sign = new AnalyzerHeartbeat(new Version("decide-0", 1, 2), "one", append, Map.of(), Map.of(), Map.of());
        record(
                TOPICS.gateLocks(),
                CompositeKey.bytes(GateKeys.heartbeat("decide-0")),
                GateLockJson.write(sign),
                append);
    }

    /** Policies of a topic that keeps the time of the producer, as those of earlier versions do. */
    private void policiesOfAProducer(long time) {
        record(
                TOPICS.policies(),
                PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8),
                PolicySetJson.writeActive(TestPolicies.above(60)),
                time,
                TimestampType.CREATE_TIME);
    }

    private void record(String topic, byte[] key, byte[] value, long append) {
        record(topic, key, value, append, TimestampType.LOG_APPEND_TIME);
    }

    private void record(String topic, byte[] key, byte[] value, long time, TimestampType type) {
        fleet.record(
                new ConsumerRecord<>(topic, 0, 0, time, type, 0, 0, key, value, new RecordHeaders(), Optional.empty()));
    }
}
