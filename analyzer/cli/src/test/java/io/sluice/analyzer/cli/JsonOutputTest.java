package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.api.Target;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.recount.Verdict;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.SourceSettings;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What commands print for programs, byte for byte. */
class JsonOutputTest {
    private static final long NOW = 1_763_700_000_000L;
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: noisy
                per: [caller]
                window: 10s
                lock: { when: [{ above: 100 }], mode: throttle, rate: 5/s, for: 2m }
              - name: hogs
                match: { caller: "hog*" }
                per: [caller, service]
                measure: bytes
                window: 10s
                limit: { rate: 1/s }
            """);

    @Test
    void symptom() {
        assertThat(Symptom.ok("Kafka", "answers").json())
                .isEqualTo("{\"grade\":\"ok\",\"about\":\"Kafka\",\"found\":\"answers\"}");
        assertThat(Symptom.fail("lag", "\"far\" behind", "wait").json())
                .isEqualTo(
                        "{\"grade\":\"fail\",\"about\":\"lag\",\"found\":\"\\\"far\\\" behind\",\"remedy\":\"wait\"}");
    }

    @Test
    void deadLetter() {
        Letter letter =
                new Letter(3, 1041, NOW, "not valid JSON", new Letter.Origin("web", 1, 17), -1, ByteBuffer.allocate(0));

        assertThat(letter.json(NOW + 1_500))
                .isEqualTo(
                        "{\"id\":\"3-1041\",\"reason\":\"not valid JSON\",\"topic\":\"web\",\"partition\":1,\"offset\":17,"
                                + "\"at\":1763700000000,\"ageMillis\":1500,\"length\":-1}");
    }

    @Test
    void deadLetterWithItsBytes() {
        byte[] value = "{\"time\":\u00e9".getBytes(StandardCharsets.UTF_8);
        Letter letter = new Letter(0, 17, NOW, "bad", new Letter.Origin("web", 1, 4), 9, ByteBuffer.wrap(value));

        assertThat(letter.detailedJson(null))
                .isEqualTo("{\"id\":\"0-17\",\"reason\":\"bad\",\"topic\":\"web\",\"partition\":1,\"offset\":4,"
                        + "\"at\":1763700000000,\"length\":9,\"firstBytes\":\"eyJ0aW1lIjrDqQ==\"}");
        assertThat(letter.detailedJson(NOW))
                .endsWith("\"firstBytes\":\"eyJ0aW1lIjrDqQ==\",\"triedAgain\":1763700000000}");
    }

    @Test
    void lock() {
        HeldLock held = new HeldLock(
                "noisy", List.of("acme", "/a"), null, "block", NOW + 1_500, NOW - 2_000, "ann", "a \"test\"");
        HeldLock endless = new HeldLock("noisy", List.of(), null, "released", Long.MAX_VALUE, NOW, "ann", "");

        assertThat(LockText.json(held, NOW, false))
                .isEqualTo("{\"policy\":\"noisy\",\"subject\":[\"acme\",\"/a\"],\"mode\":\"block\","
                        + "\"since\":1763699998000,\"leftMillis\":1500,\"by\":\"ann\",\"why\":\"a \\\"test\\\"\","
                        + "\"enforcing\":false}");
        assertThat(LockText.json(endless, NOW, true))
                .isEqualTo("{\"policy\":\"noisy\",\"subject\":[],\"mode\":\"released\",\"since\":1763700000000,"
                        + "\"by\":\"ann\",\"why\":\"\"}");
    }

    @Test
    void hostileNames_areEscaped() {
        String hostile = "\u009b31m\u202e\u2028";
        HeldLock held = new HeldLock("noisy", List.of(hostile), null, "block", NOW + 1_500, NOW, "ann", hostile);

        assertThat(LockText.json(held, NOW, true))
                .contains("\"subject\":[\"\\u009b31m\\u202e\\u2028\"]")
                .doesNotContain("\u009b", "\u202e", "\u2028");
        assertThat(RecordJson.line(held)).doesNotContain("\u009b", "\u202e", "\u2028");
    }

    @Test
    void policyChanges() throws Exception {
        PolicySet wanted = TestPolicies.yaml("""
                enforce: false
                policies:
                  - name: noisy
                    per: [caller]
                    window: 20s
                    lock: { when: [{ above: 100 }], mode: block, for: 2m }
                  - { name: fresh, per: [caller], limit: { rate: 1/s } }
                """);

        assertRecorded("policies-diff", PolicyChangesText.json(POLICIES, wanted));
    }

    @Test
    void policiesInForce() throws Exception {
        Agents counts = new Agents();
        counts.heard(
                new AgentHeartbeat(
                        "a", "s", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of("noisy", 3L), Map.of("noisy", 4L, "hogs", 5L)),
                NOW);

        assertRecorded(
                "policies-list",
                PoliciesText.json(
                        POLICIES, counts, List.of(new KillSwitches.Off("a", "ann", "test", NOW, NOW + 60_000))));
    }

    @Test
    void itemsOfAnAnswer() throws Exception {
        List<String> items = new ArrayList<>();

        AnalyzerApi.items(
                "{\"other\":[1],\"callers\":[{\"subject\":[\"a\\n\\u001b\\\"\\\\é/\"],\"share\":0.25,\"requests\":190.0,\"n\":7,\"locks\":[]},{}]}"
                        .getBytes(StandardCharsets.UTF_8),
                "callers",
                item -> items.add(new String(item, StandardCharsets.UTF_8)));

        assertThat(items)
                .containsExactly(
                        "{\"subject\":[\"a\\n\\u001B\\\"\\\\é/\"],\"share\":0.25,\"requests\":190.0,\"n\":7,\"locks\":[]}",
                        "{}");
    }

    @Test
    void explainedLine() throws Exception {
        assertRecorded("explain", explained("acme", false));
        assertRecorded("explain-late", explained("hog-1", true));
    }

    private static String explained(String caller, boolean late) throws Exception {
        SourceSettings source =
                new SourceSettings("web", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        var event = LogFormats.of(source)
                .read(("{\"time\":1763700000000,\"caller\":\"" + caller
                                + "\",\"service\":\"orders\",\"status\":200,\"millis\":12.5,\"bytes\":5120,"
                                + "\"labels\":{\"plan\":\"gold\"},\"identity\":\"authenticated\"}")
                        .getBytes(StandardCharsets.UTF_8));
        return new ExplainedLine(source, event, late ? EventTimes.LATE : event.time(), POLICIES).json();
    }

    @Test
    void why() throws Exception {
        Target target = Target.in(POLICIES, "noisy", List.of("acme"));
        Evidence evidence = new Evidence("above", 120, 100, "requests", 10_000, 120, 0.5, NOW - 70, NOW, "noisy-1");
        GateLock lock = new GateLock(
                "noisy",
                List.of("acme"),
                Mode.THROTTLE,
                5,
                0.25,
                60_000,
                NOW,
                NOW + 120_000,
                2,
                true,
                false,
                evidence,
                new Version("decide-1", 1, 1));
        var analyzer = new Appended<>(lock, NOW);
        Verdict verdict = new Verdict(true, 121, 121, 0, 0, true, Verdict.Believed.NOTHING, NOW - 10_000);

        assertRecorded(
                "why-locked", json(target, null, analyzer, null, new Explanation.Recounted(evidence, verdict, "")));
        assertRecorded(
                "why-operator",
                json(
                        target,
                        new OperatorRecord.Lock(
                                "noisy", List.of("acme"), null, Mode.THROTTLE, 2.5, 60_000, "ann", "test", NOW),
                        analyzer,
                        null,
                        new Explanation.Recounted(evidence, null, "too far back")));
        assertRecorded(
                "why-released",
                json(
                        target,
                        new OperatorRecord.Release("noisy", List.of("acme"), null, 0, "ann", "test", NOW),
                        null,
                        analyzer,
                        null));
    }

    private static void assertRecorded(String name, String json) throws Exception {
        try (InputStream recorded = JsonOutputTest.class.getResourceAsStream("/json-output/" + name + ".json")) {
            assertThat(json)
                    .isEqualTo(new String(Objects.requireNonNull(recorded).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static String json(
            Target target,
            @Nullable OperatorRecord operator,
            @Nullable Appended<GateLock> analyzer,
            @Nullable Appended<GateLock> last,
            Explanation.@Nullable Recounted recounted) {
        return WhyJson.of(new Explanation(
                target,
                NOW,
                operator == null ? null : new Appended<>(operator, NOW - 1_000),
                analyzer,
                last,
                last,
                recounted,
                List.of()));
    }
}
