package io.sluice.contract.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentHeartbeatTest {

    private static AgentHeartbeat heartbeat(Map<String, Long> rejected, Map<String, Long> wouldReject) {
        return new AgentHeartbeat("a", "orders", Freshness.FRESH, 0, 0, 0, 0, 0, rejected, wouldReject);
    }

    @Test
    void aPolicyThatTurnedNobodyAwayIsLeftOut() {
        AgentHeartbeat heartbeat = heartbeat(Map.of("idle", 0L, "busy", 1L), Map.of("idle", 0L));

        assertThat(heartbeat.rejectedByPolicy()).isEqualTo(Map.of("busy", 1L));
        assertThat(heartbeat.wouldRejectByPolicy()).isEmpty();
        assertThat(new String(AgentHeartbeatJson.write(heartbeat), StandardCharsets.UTF_8))
                .contains("\"rejectedByPolicy\":{\"busy\":1}")
                .doesNotContain("wouldRejectByPolicy");
    }

    @ParameterizedTest
    @ValueSource(ints = {255, 256, 257, 1000})
    void ofTooManyPoliciesTheHighestCountsAreTold(int policies) {
        Map<String, Long> counts = new HashMap<>();
        for (int i = 1; i <= policies; i++) {
            counts.put("p" + i, (long) i);
        }

        Map<String, Long> told = heartbeat(Map.of(), counts).wouldRejectByPolicy();

        assertThat(told).hasSize(Math.min(policies, 256)).containsEntry("p" + policies, (long) policies);
        assertThat(told.values()).allMatch(count -> count > policies - 256);
    }

    private static AgentHeartbeat heartbeat(List<String> reasons) {
        return new AgentHeartbeat(
                "a", "orders", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of(), Map.of(), true, List.of(), reasons, 0);
    }

    @Test
    void reasons_ofThisVersion_areInTheirOrderAndOnce() {
        assertThat(heartbeat(List.of("table-full", "no-policies", "table-full")).reasons())
                .containsExactly("no-policies", "table-full");
    }

    @Test
    void reasons_ofANewerVersion_areKeptInBounds() throws MalformedRecord {
        List<String> written =
                List.of("b-1", "b-1", "B", "\u001b[31m", "x".repeat(33), "a", "no-policies", "c", "d", "e");
        byte[] bytes = AgentHeartbeatJson.write(heartbeat(List.of("b-1", "a", "no-policies")));

        assertThat(heartbeat(written).reasons()).containsExactly("no-policies", "b-1", "a", "c", "d");
        assertThat(AgentHeartbeatJson.read(bytes).orElseThrow().reasons()).containsExactly("no-policies", "b-1", "a");
    }

    @Test
    void reasons_all_takeLittleOfAHeartbeat() {
        List<String> all =
                Arrays.stream(AgentReason.values()).map(AgentReason::code).toList();

        assertThat(all).allMatch(code -> code.length() <= 32);
        assertThat(AgentHeartbeatJson.write(heartbeat(all)).length
                        - AgentHeartbeatJson.write(heartbeat(List.of())).length)
                .isLessThan(512);
    }

    @Test
    void unanswered_forgedLongTexts_areLeftOut() {
        String longest = "x".repeat(64) + " for sliding-window";

        AgentHeartbeat heartbeat = new AgentHeartbeat(
                "a",
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
                List.of("x".repeat(101), longest, "redis"),
                List.of(),
                0);

        assertThat(heartbeat.unanswered()).containsExactly(longest, "redis");
    }

    @Test
    void theLongestHeartbeatCanStillBeRead() throws MalformedRecord {
        Map<String, Long> counts = new HashMap<>();
        for (int i = 0; i < AgentHeartbeat.MOST_POLICIES; i++) {
            counts.put("x".repeat(61) + String.format("%03d", i), Long.MAX_VALUE);
        }
        // a character that JSON has to escape in six
        String longest = "\u0001".repeat(256);
        AgentHeartbeat heartbeat = new AgentHeartbeat(
                longest,
                longest,
                Freshness.STALE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                counts,
                counts,
                true,
                Collections.nCopies(20, "x".repeat(64) + " for sliding-window"),
                Arrays.stream(AgentReason.values()).map(AgentReason::code).toList(),
                0);

        byte[] written = AgentHeartbeatJson.write(heartbeat);

        assertThat(heartbeat.unanswered()).hasSize(AgentHeartbeat.MOST_STRATEGIES);
        assertThat(written).hasSizeLessThan(BoundedJson.MAX_BYTES);
        assertThat(AgentHeartbeatJson.read(written)).contains(heartbeat);
    }
}
