package io.sluice.contract.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.decision.OperatorAction;
import io.sluice.contract.event.RequestEventJson;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsageRecord;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Today's code against bytes that an earlier version left on a topic, and against those of a later one. When a test here
 * fails, running systems would not understand each other: the files stay, the code gives way.
 */
class YesterdaysBytesTest {

    static Stream<Arguments> gateRecords() {
        return Stream.of(Arguments.of("lock", Samples.LOCK), Arguments.of("heartbeat", Samples.HEARTBEAT));
    }

    static Stream<Arguments> operatorRecords() {
        return Stream.of(
                Arguments.of("operator-lock", Samples.OPERATOR_LOCK),
                Arguments.of("operator-release", Samples.OPERATOR_RELEASE),
                Arguments.of("operator-lock-per", Samples.OPERATOR_LOCK_WITH_PER),
                Arguments.of("operator-release-per", Samples.OPERATOR_RELEASE_WITH_PER),
                Arguments.of("operator-enforce", Samples.OPERATOR_ENFORCE));
    }

    static Stream<Arguments> usageRecords() {
        return Stream.of(
                Arguments.of("usage-partial.hex", Samples.PARTIAL),
                Arguments.of("usage-load-partial.hex", Samples.LOAD_PARTIAL),
                Arguments.of("usage-distinct-partial.hex", Samples.DISTINCT_PARTIAL),
                Arguments.of("usage-timed-partial.hex", Samples.TIMED_PARTIAL),
                Arguments.of("usage-timed-load-partial.hex", Samples.TIMED_LOAD_PARTIAL),
                Arguments.of("usage-position.hex", Samples.POSITION));
    }

    @Test
    void aRequestIsReadAndWrittenAsEver() throws MalformedRecord {
        assertThat(RequestEventReader.ours().read(Resource.bytes("request.json")))
                .isEqualTo(Samples.REQUEST);
        assertThat(text(RequestEventJson.write(Samples.REQUEST))).isEqualTo(text(Resource.bytes("request.json")));
    }

    @Test
    void aRequestWithLaterFieldsIsTheSame() throws MalformedRecord {
        assertThat(RequestEventReader.ours().read(Resource.bytes("request-unknown-fields.json")))
                .isEqualTo(Samples.REQUEST);
    }

    @Test
    void aRequestOfAHigherFormatIsRefused() {
        assertThatThrownBy(() -> RequestEventReader.ours().read(Resource.bytes("request-higher-format.json")))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageContaining("request.format");
    }

    @ParameterizedTest
    @MethodSource("gateRecords")
    void aGateRecordIsReadAndWrittenAsEver(String name, GateRecord record) throws MalformedRecord {
        assertThat(GateLockJson.read(Resource.bytes(name + ".json"))).contains(record);
        assertThat(text(GateLockJson.write(record))).isEqualTo(text(Resource.bytes(name + ".json")));
    }

    @Test
    void gateLock_thatNamesItsAttributes_isReadAndWrittenAsEver() throws MalformedRecord {
        assertThat(GateLockJson.read(Resource.bytes("lock-per.json"))).contains(Samples.LOCK_WITH_PER);
        assertThat(text(GateLockJson.write(Samples.LOCK_WITH_PER))).isEqualTo(text(Resource.bytes("lock-per.json")));
    }

    @Test
    void decision_ofALock_isReadAndWrittenAsEver() throws MalformedRecord {
        byte[] key = CompositeKey.bytes(DecisionJson.key(Samples.TRANSITION));

        assertThat(DecisionJson.read(key, Resource.bytes("transition.json"))).contains(Samples.TRANSITION);
        assertThat(text(DecisionJson.write(Samples.TRANSITION))).isEqualTo(text(Resource.bytes("transition.json")));
    }

    @Test
    void decision_ofAPolicySet_isReadAndWrittenAsEver() throws MalformedRecord {
        byte[] key = CompositeKey.bytes(List.of("$policies"));

        assertThat(DecisionJson.read(key, Resource.bytes("policy-set-change.json")))
                .contains(Samples.POLICY_SET_CHANGE);
        assertThat(text(DecisionJson.write(Samples.POLICY_SET_CHANGE)))
                .isEqualTo(text(Resource.bytes("policy-set-change.json")));
        assertThatThrownBy(() -> DecisionJson.read(
                        CompositeKey.bytes(List.of("policies")), Resource.bytes("policy-set-change.json")))
                .isInstanceOf(MalformedRecord.class);
    }

    @Test
    void decision_ofAnOperator_hasTheBytesOfTheOperatorTopic() throws MalformedRecord {
        OperatorAction action = new OperatorAction(Samples.OPERATOR_LOCK_WITH_PER);
        byte[] key = CompositeKey.bytes(DecisionJson.key(action));

        assertThat(DecisionJson.read(key, Resource.bytes("operator-lock-per.json")))
                .contains(action);
        assertThat(DecisionJson.write(action)).isEqualTo(OperatorJson.write(Samples.OPERATOR_LOCK_WITH_PER));
    }

    @Test
    void decision_ofALaterVersion_isReadAsFarAsItIsKnown() throws MalformedRecord {
        byte[] key = CompositeKey.bytes(DecisionJson.key(Samples.TRANSITION));
        String later = text(Resource.bytes("transition.json"))
                .replace("\"released\"", "\"moved\",\"later\":[{\"a\":1}]")
                .replace("\"demand\"", "\"whim\"");

        assertThat(DecisionJson.read(key, later.getBytes(StandardCharsets.UTF_8)))
                .contains(new LockTransition(
                        LockTransition.Event.UNKNOWN,
                        LockTransition.Cause.UNKNOWN,
                        Samples.TIME,
                        Samples.LOCK_WITH_PER,
                        3));
        assertThat(DecisionJson.read(
                        key, later.replace("\"format\":1", "\"format\":2").getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @Test
    void decision_underAnotherKey_isRefused() {
        assertThatThrownBy(() -> DecisionJson.read(
                        CompositeKey.bytes(List.of("noisy-neighbour", "zen")), Resource.bytes("transition.json")))
                .isInstanceOf(MalformedRecord.class);
    }

    @ParameterizedTest
    @MethodSource("gateRecords")
    void aGateRecordWithLaterFieldsIsTheSame(String name, GateRecord record) throws MalformedRecord {
        assertThat(GateLockJson.read(Resource.bytes(name + "-unknown-fields.json")))
                .contains(record);
    }

    @ParameterizedTest
    @MethodSource("gateRecords")
    void aGateRecordOfAHigherFormatIsIgnored(String name, GateRecord record) throws MalformedRecord {
        assertThat(GateLockJson.read(Resource.bytes(name + "-higher-format.json")))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("operatorRecords")
    void anOperatorRecordIsReadAndWrittenAsEver(String name, OperatorRecord record) throws MalformedRecord {
        byte[] key = CompositeKey.bytes(OperatorJson.key(record));

        assertThat(OperatorJson.read(key, Resource.bytes(name + ".json"))).contains(record);
        assertThat(text(OperatorJson.write(record))).isEqualTo(text(Resource.bytes(name + ".json")));
    }

    @Test
    void anOperatorRecordWithLaterFieldsIsTheSame() throws MalformedRecord {
        byte[] key = CompositeKey.bytes(OperatorJson.key(Samples.OPERATOR_LOCK));

        assertThat(OperatorJson.read(key, Resource.bytes("operator-lock-unknown-fields.json")))
                .contains(Samples.OPERATOR_LOCK);
    }

    @Test
    void anOperatorRecordOfAHigherFormatIsIgnored() throws MalformedRecord {
        assertThat(OperatorJson.read(new byte[0], Resource.bytes("operator-lock-higher-format.json")))
                .isEmpty();
    }

    static Stream<Arguments> agents() {
        return Stream.of(
                Arguments.of("agent.json", Samples.AGENT),
                Arguments.of("agent-counts.json", Samples.AGENT_WITH_COUNTS),
                Arguments.of("agent-reasons.json", Samples.AGENT_WITH_REASONS),
                Arguments.of("agent-run.json", Samples.AGENT_WITH_RUN));
    }

    @ParameterizedTest
    @MethodSource("agents")
    void anAgentIsReadAndWrittenAsEver(String name, AgentHeartbeat agent) throws MalformedRecord {
        assertThat(AgentHeartbeatJson.read(Resource.bytes(name))).contains(agent);
        assertThat(text(AgentHeartbeatJson.write(agent))).isEqualTo(text(Resource.bytes(name)));
    }

    @Test
    void anAgentWithLaterFieldsIsTheSame() throws MalformedRecord {
        assertThat(AgentHeartbeatJson.read(Resource.bytes("agent-unknown-fields.json")))
                .contains(Samples.AGENT);
    }

    @Test
    void anAgentOfAHigherFormatIsIgnored() throws MalformedRecord {
        assertThat(AgentHeartbeatJson.read(Resource.bytes("agent-higher-format.json")))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("usageRecords")
    void aUsageRecordIsReadAndWrittenAsEver(String name, UsageRecord record) throws MalformedRecord {
        assertThat(UsageCodec.read(Resource.hex(name))).isEqualTo(record);
        assertThat(UsageCodec.write(record)).asHexString().isEqualTo(hex(Resource.hex(name)));
    }

    @Test
    void aBundleOfUsageIsReadAndWrittenAsEver() throws MalformedRecord {
        byte[] kept = Resource.hex("usage-bundle.hex");
        Map<UsageKey, UsageRecord> records = new LinkedHashMap<>();
        UsageBundle.read(kept, (key, value) -> records.put(UsageKey.read(key), UsageCodec.read(value)));
        UsageBundle bundle = new UsageBundle();
        Samples.BUNDLED.forEach((key, record) -> bundle.add(key.bytes(), UsageCodec.write(record)));

        assertThat(UsageBundle.is(kept)).isTrue();
        assertThat(records).containsExactlyEntriesOf(Samples.BUNDLED);
        assertThat(bundle.take()).asHexString().isEqualTo(hex(kept));
    }

    @Test
    void aBundleOfAHigherFormatIsRefused() {
        byte[] later = Resource.hex("usage-bundle.hex");
        later[0] = (byte) (later[0] + 0x10);

        assertThat(UsageBundle.is(later)).isFalse();
        assertThatThrownBy(() -> UsageCodec.read(later))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("usage: format 2, this version reads 1");
    }

    @Test
    void aUsageRecordOfAHigherFormatIsRefused() {
        byte[] later = Resource.hex("usage-partial.hex");
        later[0] = (byte) (later[0] + 0x10);

        assertThatThrownBy(() -> UsageCodec.read(later))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("usage: format 2, this version reads 1");
    }

    @Test
    void aLoadIsReadAndWrittenAsEver() throws MalformedRecord {
        assertThat(LoadCodec.read(Resource.hex("load.hex")))
                .usingRecursiveComparison()
                .isEqualTo(Samples.load());
        assertThat(LoadCodec.write(Samples.load())).asHexString().isEqualTo(hex(Resource.hex("load.hex")));
    }

    @Test
    void aLoadWithServiceTimesIsReadAndWrittenAsItWas() throws MalformedRecord {
        assertThat(LoadCodec.read(Resource.hex("load-timed.hex")))
                .usingRecursiveComparison()
                .isEqualTo(Samples.timedLoad());
        assertThat(LoadCodec.write(Samples.timedLoad())).asHexString().isEqualTo(hex(Resource.hex("load-timed.hex")));
    }

    @Test
    void aLoadOfAHigherFormatIsRefused() {
        byte[] later = Resource.hex("load.hex");
        later[0] = (byte) (later[0] + 0x10);

        assertThatThrownBy(() -> LoadCodec.read(later))
                .isInstanceOf(MalformedRecord.class)
                .hasMessage("load: format 2, this version reads 1");
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().withUpperCase().formatHex(bytes);
    }
}
