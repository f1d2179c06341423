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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of a running analyzer in Chromium, on a real broker. */
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

    @TempDir
    static Path folder;

    private static DashboardStage stage;
    private static Browser browser;

    @BeforeAll
    static void analyzerWithLock_browserSignedIn() throws Exception {
        stage = new DashboardStage(folder);
        browser = stage.browser;
    }

    @AfterAll
    static void stop() {
        if (stage != null) {
            stage.close();
        }
    }

    @Test
    void now_lockedCaller_isShownWithEvidence() {
        browser.open(stage.address("/#/now"));
        browser.awaitText("noisy", "blocked", "is allowed.", "by p", "Live");

        assertThat(browser.all(".chart canvas")).hasSize(1);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void now_lockOpens_isShownWithoutReload() {
        stage.view("now");
        browser.run("window.kept = true");

        stage.fleet.send("sudden", 150);

        browser.awaitText("sudden");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                browser.find("[aria-label='Locked callers']").getText())
                        .contains("sudden"));
        assertThat(browser.run("return window.kept")).isEqualTo(true);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void audit_csv_hasNoCellThatSpreadsheetsExecute() {
        browser.open(stage.address("/#/audit"));

        Object lines = browser.runAsync(
                "const [done] = arguments; import('/dashboard/decisions.js').then(({csv}) => done(csv(["
                        + "{at: 0, policy: '=1+1', subject: '@SUM(A1)', what: '-2', by: ' +3', why: 'a \"quoted\", cell'}]).split('\\r\\n')));");

        assertThat(lines)
                .isEqualTo(List.of(
                        "\"time\",\"policy\",\"subject\",\"what\",\"by\",\"why\"",
                        "\"1970-01-01T00:00:00.000Z\",\"'=1+1\",\"'@SUM(A1)\",\"'-2\",\"' +3\",\"a \"\"quoted\"\", cell\"",
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
            stage.fleet.send("patient", 150);
            // a lock that the guard holds back is enforced once there is room and its caller goes on
            await().atMost(PATIENCE).until(() -> {
                stage.fleet.send("patient", 10);
                return !admits(agent, "patient");
            });
            browser.open(stage.address("/#/now"));
            browser.awaitText("patient", "Live");

            browser.find("[aria-label='Release patient of p']").click();
            browser.find("#release-author").sendKeys("ann");
            browser.find("#release-reason").sendKeys("talked to them");
            browser.screenshot("release");
            assertThat(browser.violations()).isEmpty();
            browser.find("dialog button[type=submit]").click();

            await().atMost(PATIENCE).until(() -> admits(agent, "patient"));
            browser.awaitText("released", "talked to them");
            browser.open(stage.address("/#/audit?q=talked"));
            browser.awaitText("ann", "talked to them");
            assertThat(browser.errors()).isEmpty();
        }
    }

    private static boolean admits(GateAgent agent, String caller) {
        try (Verdict verdict = agent.check(Request.of(caller).build())) {
            return verdict.allowed();
        }
    }

    @Test
    @Tag("full")
    void hostileNames_runNothing() {
        List<String> names = IntStream.range(0, 100)
                .mapToObj(i -> HOSTILE.get(i % HOSTILE.size()).replace("#", String.valueOf(i)))
                .toList();
        for (String name : names) {
            OperatorRecord lock = new OperatorRecord.Lock("p", List.of(name), Mode.BLOCK, 0, 60_000, "ann", name, 1);
            TestKafka.send(
                    stage.fleet.topics.operator(), CompositeKey.text(OperatorJson.key(lock)), OperatorJson.write(lock));
            AgentHeartbeat beat =
                    new AgentHeartbeat(name, name, Freshness.FRESH, 1, 2, 3, 4, 5, Map.of(name, 1L), Map.of());
            TestKafka.send(stage.fleet.topics.agents(), name, AgentHeartbeatJson.write(beat));
        }
        for (String view : List.of("now", "agents", "policies", "caller/" + encoded(names.get(0)))) {
            browser.open(stage.address("/#/" + view));
            browser.awaitText(view.equals("policies") ? "locks when" : names.get(0), "Live");
            assertThat(browser.run("return window.hostile")).as(view).isNull();
            assertThat(browser.all("main script, main img, main iframe, main a[href^=javascript]"))
                    .as(view)
                    .isEmpty();
        }
        browser.screenshot("hostile");
        assertThat(browser.errors()).isEmpty();
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    @Tag("full")
    void analyzer_diesAndReturns_pageSaysSoAndReconnects() throws Exception {
        stage.view("now");
        browser.run("window.kept = true");

        stage.stopServing();
        browser.awaitText("Not up to date.", "Reconnecting");
        stage.serveAgain();

        browser.awaitText("Live");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(browser.text()).doesNotContain("Not up to date."));
        assertThat(browser.run("return window.kept")).isEqualTo(true);
        // the console shows each request that failed meanwhile; errors of scripts would differ
        assertThat(browser.errors()).allMatch(error -> error.contains("Failed to load resource"));
    }
}
