package io.sluice.agent.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Gatekeeper;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** The topics' records as the follower brings them; no broker. */
final class DecisionReaderTest {
    private static final String ONE_AT_A_TIME =
            "{\"name\":\"one\",\"per\":[\"caller\"],\"limit\":{\"algorithm\":\"concurrency\",\"max\":1}}";
    private static final String NOISY =
            "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}";
    private static final long NOW = 1_000_000_000;

    private final TopicNames topics = new TopicNames("t.");
    private final DecisionState decisions =
            new DecisionState(new DecisionState.Settings("agent-1", "orders", true, 600_000, 5000, 1000));
    private final Gatekeeper gatekeeper = new Gatekeeper(decisions, () -> NOW);
    private final DecisionReader feed =
            new DecisionReader(Map.of("bootstrap.servers", "127.0.0.1:1"), "agent-1", topics, decisions, () -> NOW);
    private long offset;

    private static PolicySet set(String policy) {
        String json = "{\"policies\":[" + policy + "]}";
        try {
            return PolicySetReader.read(JsonNodes.read(json.getBytes(StandardCharsets.UTF_8), "test"));
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void reads(String... policies) {
        byte[] key = PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8);
        for (String policy : policies) {
            byte[] value = PolicySetJson.writeActive(set(policy));
            feed.record(new ConsumerRecord<>(topics.policies(), 0, offset++, key, value));
        }
    }

    private void ends() {
        feed.read(topics.policies());
        feed.caughtUp();
    }

    /** Asks for a place, and keeps it. */
    private boolean allows(String caller) {
        Request request = Request.of(caller).service("orders").build();
        return gatekeeper.check(request, NOW).allowed();
    }

    @Test
    void whatIsInFlightStaysCountedWhenSetsThatWereReplacedLongAgoAreReadAgain() {
        reads(NOISY, ONE_AT_A_TIME);
        ends();
        assertThat(allows("acme")).isTrue();

        feed.again();
        reads(NOISY, ONE_AT_A_TIME);
        ends();

        assertThat(allows("acme")).isFalse();
    }

    @Test
    void policiesOfAFileHoldUntilTheNewestSetOfTheTopicIsKnown() {
        decisions.policies(set(ONE_AT_A_TIME));
        assertThat(allows("acme")).isTrue();

        reads(NOISY);
        assertThat(allows("acme")).isFalse();

        ends();
        assertThat(allows("acme")).isTrue();
    }

    @Test
    void heartbeatOfAnotherPartitionsTask_isCountedAndKeepsNoPartitionFresh() {
        feed.partitions(topics.gateLocks(), 2);
        ends();

        heartbeat(0, 0);
        heartbeat(1, 0);
        assertThat(feed.malformed()).isEqualTo(1);
        assertThat(decisions.heartbeatAges(NOW)).containsOnlyKeys("decide-0");
        decisions.refresh(NOW, 1);
        assertThat(decisions.freshness()).isEqualTo(Freshness.STALE);

        heartbeat(1, 1);
        decisions.refresh(NOW, 1);
        assertThat(decisions.freshness()).isEqualTo(Freshness.FRESH);
    }

    private void heartbeat(int partition, int task) {
        AnalyzerHeartbeat beat = new AnalyzerHeartbeat(new Version("decide-" + task, 1, offset), "a", 1, Map.of());
        feed.record(new ConsumerRecord<>(
                topics.gateLocks(),
                partition,
                offset++,
                1_763_700_000_000L,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                CompositeKey.bytes(GateKeys.of(beat)),
                GateLockJson.write(beat),
                new RecordHeaders(),
                Optional.empty()));
    }

    @Test
    void aSetThatComesLiveIsInForceAtOnce() {
        ends();
        reads(ONE_AT_A_TIME);
        assertThat(allows("acme")).isTrue();
        assertThat(allows("acme")).isFalse();
    }
}
