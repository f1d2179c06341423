package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The dashboard of a running analyzer in Chromium, on a real broker. */
@Tag("server")
class DashboardTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Names that would run in a page that takes them for markup, a style or an address; # makes them different. */
    private static final List<String> HOSTILE = List.of(
            "<script>window.hostile=#</script>",
            "<img src=x onerror=window.hostile=#>",
            "\"><svg onload=window.hostile=#>",
            "javascript:window.hostile=#",
            "'-(window.hostile=#)-'",
            "${window.hostile=#}",
            "__proto__#",
            "<iframe srcdoc='<script>parent.hostile=#</script>'>",
            "</th></tr></table><style>*{display:none}</style>#",
            "=cmd|'/c calc'!A#");

    /** Adds a lock for each name, with the name as the reason, and returns the highest status. */
    private static final String LOCK_BY_HTTP =
            "return fetch('/api/v1/session').then((one) => one.json()).then(({csrf}) =>"
                    + "Promise.all(arguments[0].map((name) => fetch(`/api/v1/locks/p/${encodeURIComponent(name)}`, {method: 'POST',"
                    + "headers: {'X-Sluice-CSRF': csrf, 'Content-Type': 'application/json'},"
                    + "body: JSON.stringify({ttlMillis: 60000, author: 'ann', reason: name})}))))"
                    + ".then((answers) => Math.max(...answers.map((one) => one.status)))";

    @RegisterExtension
    static final DashboardStage stage = new DashboardStage();

    @Test
    void now_lockedCaller_isShownWithEvidence() {
        stage.browser.open(stage.address("/#/now"));
        stage.browser.awaitText("noisy", "blocked", "is allowed.", "by p", "Live");

        assertThat(stage.browser.all(".chart canvas")).hasSize(1);
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void now_lockOpens_isShownWithoutReload() {
        stage.view("now");
        stage.browser.run("window.kept = true");

        stage.fleet.send("sudden", 150);

        stage.browser.awaitText("sudden");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stage.browser
                                .find("[aria-label='Locked callers']")
                                .getText())
                        .contains("sudden"));
        assertThat(stage.browser.run("return window.kept")).isEqualTo(true);
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void tabs_moreThanABrowserHasConnections_areAllLive() {
        stage.view("now");

        stage.browser.tabs(7, stage.address("/#/now"), () -> stage.browser.awaitText("noisy", "Live"));

        stage.browser.awaitText("Live");
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void times_areInTheReadersZone() {
        // half an hour beside UTC
        stage.browser.zone("Asia/Kolkata");
        try {
            stage.view("audit");
            Object at = stage.browser.runAsync("const [done] = arguments; import('/dashboard/api.js')"
                    + ".then(({ask}) => ask('/history?limit=1000&sinceSeconds=86400'))"
                    + ".then(({decisions}) => done(decisions.find((one) => one.event === 'opened').at))");

            stage.browser.awaitText(Instant.ofEpochMilli(((Number) at).longValue())
                    .atZone(ZoneId.of("Asia/Kolkata"))
                    .format(DateTimeFormatter.ofPattern(":mm:ss")));
        } finally {
            stage.browser.zone("");
        }
    }

    @Test
    @Tag("full")
    void audit_csv_hasNoCellThatSpreadsheetsExecute() {
        stage.browser.open(stage.address("/#/audit"));

        Object lines = stage.browser.runAsync(
                "const [done] = arguments; import('/dashboard/decisions.js').then(({csv}) => done(csv(["
                        + "{at: 0, policy: '=1+1', subject: '@SUM(A1)', what: '-2', by: ' +3', why: 'a \"quoted\", cell'},"
                        + "{at: 0, policy: 'p', subject: 'a;=1+1', what: 'a\\t\\n\"-1', by: '\uff1d1', why: 'a-b; c = d'}]).split('\\r\\n')));");

        assertThat(lines)
                .isEqualTo(List.of(
                        "\"time\",\"policy\",\"subject\",\"what\",\"by\",\"why\"",
                        "\"1970-01-01T00:00:00.000Z\",\"'=1+1\",\"'@SUM(A1)\",\"'-2\",\"' +3\",\"a \"\"quoted\"\", cell\"",
                        "\"1970-01-01T00:00:00.000Z\",\"p\",\"a;'=1+1\",\"a\t\n'\"\"-1\",\"'\uff1d1\",\"a-b; c = d\"",
                        ""));
    }

    @Test
    @Tag("full")
    void now_release_opensTheGate() {
        try (GateAgent agent = GateAgent.builder()
                .bootstrap(String.valueOf(TestKafka.client().get("bootstrap.servers")))
                .topicPrefix(stage.fleet.topics.prefix())
                .service("orders")
                .build()) {
            // the guard has room for half of the active callers: enough for all that the tests of this class lock, in
            // whatever order it arms them
            IntStream.range(0, 6).forEach(i -> stage.fleet.send("bystander-" + i, 1));
            stage.fleet.send("patient", 150);
            // a lock that the guard holds back is enforced once there is room and its caller goes on
            await().atMost(PATIENCE).until(() -> {
                stage.fleet.send("patient", 10);
                return !admits(agent, "patient");
            });
            stage.browser.open(stage.address("/#/now"));
            stage.browser.awaitText("patient", "Live");

            stage.browser.find("[aria-label='Release patient of p']").click();
            stage.browser.find("#release-author").sendKeys("ann");
            stage.browser.find("#release-reason").sendKeys("talked to them");
            stage.browser.screenshot("release");
            assertThat(stage.browser.violations()).isEmpty();
            stage.browser.find("dialog button[type=submit]").click();

            await().atMost(PATIENCE).until(() -> admits(agent, "patient"));
            stage.browser.awaitText("released", "talked to them");
            stage.browser.open(stage.address("/#/audit?q=talked"));
            stage.browser.awaitText("ann", "talked to them");
            assertThat(stage.browser.errors()).isEmpty();
        }
    }

    private static boolean admits(GateAgent agent, String caller) {
        try (Verdict verdict = agent.check(Request.of(caller).build())) {
            return verdict.allowed();
        }
    }

    @Test
    void agents_reasons_areShown() {
        AgentHeartbeat beat = new AgentHeartbeat(
                "reasons-1",
                "reasons",
                Freshness.FRESH,
                1,
                2,
                3,
                4,
                5,
                Map.of(),
                Map.of(),
                true,
                List.of(),
                List.of("table-full", "later-reason"),
                0);
        TestKafka.send(stage.fleet.topics.agents(), "reasons-1", AgentHeartbeatJson.write(beat));
        stage.browser.open(stage.address("/#/agents"));

        stage.browser.awaitText("reasons-1", "table-full, later-reason");
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void hostileNames_runNothing() {
        List<String> names = IntStream.range(0, 100)
                .mapToObj(i -> HOSTILE.get(i % HOSTILE.size()).replace("#", String.valueOf(i)))
                .toList();
        Map<String, byte[]> locks = new HashMap<>();
        Map<String, byte[]> beats = new HashMap<>();
        for (String name : names) {
            OperatorRecord lock = new OperatorRecord.Lock("p", List.of(name), Mode.BLOCK, 0, 3_600_000, "ann", name, 1);
            locks.put(CompositeKey.text(OperatorJson.key(lock)), OperatorJson.write(lock));
            AgentHeartbeat beat =
                    new AgentHeartbeat(name, name, Freshness.FRESH, 1, 2, 3, 4, 5, Map.of(name, 1L), Map.of());
            beats.put(name, AgentHeartbeatJson.write(beat));
        }
        TestKafka.send(stage.fleet.topics.operator(), locks);
        TestKafka.send(stage.fleet.topics.agents(), beats);
        TestKafka.send(stage.fleet.topics.requests(), names.subList(0, HOSTILE.size()));
        // what is changed by HTTP is in the audit
        assertThat(stage.browser.run(LOCK_BY_HTTP, names.subList(0, HOSTILE.size())))
                .isEqualTo(201L);
        for (String view :
                List.of("now", "agents", "policies", "caller/" + encoded(names.get(0)), "letters", "audit")) {
            stage.browser.open(stage.address("/#/" + view));
            // of each reason one dead letter is shown; this one has a reason of its own
            String shown = view.equals("letters") ? names.get(2) : names.get(0);
            stage.browser.awaitText(view.equals("policies") ? "locks when" : shown, "Live");
            assertThat(stage.browser.run("return window.hostile")).as(view).isNull();
            assertThat(stage.browser.all("main script, main img, main iframe, main a[href^=javascript]"))
                    .as(view)
                    .isEmpty();
        }
        stage.browser.screenshot("hostile");
        // the list of locks has room for those of other tests again
        for (String name : names) {
            TestKafka.send(stage.fleet.topics.operator(), CompositeKey.text(List.of("p", name)), null);
        }
        assertThat(stage.browser.errors()).isEmpty();
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    @Tag("full")
    void analyzer_diesAndReturns_pageSaysSoAndReconnects() throws Exception {
        stage.view("now");
        stage.browser.run("window.kept = true");

        stage.stopServing();
        stage.browser.awaitText("Not up to date.", "Reconnecting");
        stage.serveAgain();

        stage.browser.awaitText("Live");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stage.browser.text()).doesNotContain("Not up to date."));
        assertThat(stage.browser.run("return window.kept")).isEqualTo(true);
        // the console shows each request that failed meanwhile; errors of scripts would differ
        assertThat(stage.browser.errors()).allMatch(error -> error.contains("Failed to load resource"));
    }
}
