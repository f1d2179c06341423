package io.sluice.contract.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.event.EventLayout;
import io.sluice.contract.event.Field;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever stands on a topic: a codec answers with a record or a {@link MalformedRecord} that repeats nothing of it. */
@Tag(Seeds.TAG)
class MutationTest {
    // in every value that a client could have chosen; no complaint may show it
    private static final String SECRET = "s3cr3t";

    @FunctionalInterface
    interface Reading {
        void read(byte[] bytes) throws MalformedRecord;
    }

    static Stream<Arguments> codecs() {
        RequestEventReader requests = RequestEventReader.ours();
        RequestEventReader few = requests.wanting(Set.of(Field.SERVICE));
        RequestEventReader mapped = new RequestEventReader(EventLayout.OURS
                .names(Map.of(Field.CALLER, List.of("agent", "caller"), Field.MILLIS, List.of("bytes")))
                .labels(Map.of("zone", "zone")));
        byte[] key = CompositeKey.bytes(OperatorJson.key(Samples.OPERATOR_LOCK));
        return Stream.of(
                codec("request", "request.json", requests::read),
                codec("request few fields", "request-unknown-fields.json", few::read),
                codec("request mapped", "request-unknown-fields.json", mapped::read),
                codec("lock", "lock.json", GateLockJson::read),
                codec("heartbeat", "heartbeat.json", GateLockJson::read),
                codec("operator lock", "operator-lock.json", bytes -> OperatorJson.read(key, bytes)),
                codec("operator enforce", "operator-enforce.json", bytes -> OperatorJson.read(key, bytes)),
                codec("transition", "transition.json", bytes -> DecisionJson.read(key, bytes)),
                codec(
                        "policy set change",
                        "policy-set-change.json",
                        bytes -> DecisionJson.read(CompositeKey.bytes(List.of("$policies")), bytes)),
                codec("agent", "agent.json", AgentHeartbeatJson::read),
                codec("agent with reasons", "agent-reasons.json", AgentHeartbeatJson::read),
                codec("agent with a run", "agent-run.json", AgentHeartbeatJson::read),
                codec("agent with counts", "agent-counts.json", AgentHeartbeatJson::read),
                Arguments.of("partial", Resource.hex("usage-partial.hex"), (Reading) UsageCodec::read),
                Arguments.of(
                        "distinct partial", Resource.hex("usage-distinct-partial.hex"), (Reading) UsageCodec::read),
                Arguments.of("timed partial", Resource.hex("usage-timed-partial.hex"), (Reading) UsageCodec::read),
                Arguments.of("timed load", Resource.hex("load-timed.hex"), (Reading) LoadCodec::read),
                Arguments.of("position", Resource.hex("usage-position.hex"), (Reading) UsageCodec::read),
                Arguments.of("bundle", Resource.hex("usage-bundle.hex"), (Reading) MutationTest::readBundle),
                Arguments.of("load", Resource.hex("load.hex"), (Reading) LoadCodec::read),
                Arguments.of("usage key", new UsageKey("noisy@0123", List.of(SECRET, "ünï", "\"\\")).bytes(), (Reading)
                        UsageKey::read));
    }

    private static void readBundle(byte[] bytes) throws MalformedRecord {
        UsageBundle.read(bytes, (key, value) -> {
            UsageKey.read(key);
            UsageCodec.read(value);
        });
    }

    private static Arguments codec(String name, String file, Reading reading) {
        String json = new String(Resource.bytes(file), StandardCharsets.UTF_8)
                .replace("acme", SECRET)
                .replace("orders", SECRET)
                .replace("gold", SECRET);
        return Arguments.of(name, json.getBytes(StandardCharsets.UTF_8), reading);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("codecs")
    void aDamagedRecordIsReadOrRefusedAndNeverQuoted(String name, byte[] sound, Reading reading) {
        int refused = Fuzzing.run(name.replace(' ', '-'), List.of(sound), MalformedRecord.class, damaged -> {
            try {
                reading.read(damaged);
            } catch (MalformedRecord e) {
                if (e.getMessage().contains(SECRET) || e.getMessage().length() > 200) {
                    fail(name + " repeats what it found: " + e.getMessage());
                }
                throw e;
            }
        });
        assertThat(refused).isGreaterThan(100);
    }
}
