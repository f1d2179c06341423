package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A record of each kind on the topic of every other kind, under its own key and under the key of a lock. */
class MisroutedRecordsTest {
    private static final Path CODECS = Path.of("src/test/resources/codecs");
    private static final List<byte[]> KEYS = Stream.of(
                    "active", "desired", "orders-1", "[\"noisy\",\"acme\"]", "[\"noisy-neighbour\",\"acme\"]", "")
            .map(key -> key.getBytes(StandardCharsets.UTF_8))
            .toList();

    private interface Reader {
        /** Returns an empty {@code Optional} for a record that is ignored. */
        Object read(byte[] key, byte[] value) throws MalformedRecord, InvalidPolicies;
    }

    private static Map<String, Reader> readers() {
        Map<String, Reader> readers = new LinkedHashMap<>();
        readers.put("gate-locks", (key, value) -> LockValidity.read(3, key, value));
        readers.put("operator", OperatorJson::read);
        readers.put("agents", AgentHeartbeatJson::read);
        readers.put("decisions", DecisionJson::read);
        readers.put("policies", (key, value) -> PolicySetJson.read(value));
        readers.put("requests", (key, value) -> RequestEventReader.ours().read(value));
        readers.put("usage", (key, value) -> UsageCodec.read(value));
        readers.put("loads", (key, value) -> LoadCodec.read(value));
        return readers;
    }

    private static Map<String, List<byte[]>> records() throws Exception {
        Map<String, List<byte[]>> records = new LinkedHashMap<>();
        records.put("gate-locks", files("lock.json", "lock-per.json", "heartbeat.json"));
        records.put("operator", files("operator-lock.json", "operator-release.json", "operator-enforce.json"));
        records.put("agents", files("agent.json", "agent-counts.json"));
        records.put("decisions", files("transition.json"));
        records.put(
                "policies",
                List.of(PolicySetJson.writeActive(PolicySetReader.read(JsonNodes.read(
                        Files.readAllBytes(Path.of("src/test/resources/policies/supported.json")), "supported")))));
        records.put("requests", files("request.json"));
        records.put("usage", files("usage-partial.hex", "usage-position.hex"));
        records.put("loads", files("load.hex", "load-timed.hex"));
        return records;
    }

    private static List<byte[]> files(String... names) throws Exception {
        List<byte[]> contents = new ArrayList<>();
        for (String name : names) {
            byte[] content = Files.readAllBytes(CODECS.resolve(name));
            contents.add(
                    name.endsWith(".hex")
                            ? HexFormat.of()
                                    .parseHex(new String(content, StandardCharsets.US_ASCII).replaceAll("\\s", ""))
                            : content);
        }
        return contents;
    }

    static Stream<Arguments> pairs() throws Exception {
        Map<String, List<byte[]>> records = records();
        return records.keySet().stream()
                .flatMap(from -> readers().keySet().stream()
                        .filter(to -> !to.equals(from))
                        // operators' actions stand in the decision log, too
                        .filter(to -> !(from.equals("operator") && to.equals("decisions")))
                        .map(to -> Arguments.of(from, to)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void recordOnTheTopicOfAnotherKind_isRefused(String from, String to) throws Exception {
        Reader reader = readers().get(to);
        for (byte[] value : records().getOrDefault(from, List.of())) {
            for (byte[] key : KEYS) {
                assertThat(accepted(reader, key, value))
                        .as("a record of %s on %s: %s", from, to, new String(value, StandardCharsets.UTF_8))
                        .isFalse();
            }
        }
    }

    @Test
    void recordOnItsOwnTopic_isReadUnderOneOfTheKeysOrRefusedForItsKey() throws Exception {
        // otherwise the other test would prove nothing
        for (String topic : List.of("policies", "requests", "usage", "loads")) {
            for (byte[] value : records().getOrDefault(topic, List.of())) {
                assertThat(accepted(readers().get(topic), KEYS.get(0), value))
                        .as(topic)
                        .isTrue();
            }
        }
    }

    private static boolean accepted(Reader reader, byte[] key, byte[] value) {
        try {
            Object read = reader.read(key, value);
            return !(read instanceof Optional<?> optional && optional.isEmpty());
        } catch (MalformedRecord | InvalidPolicies e) {
            return false;
        }
    }
}
