package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of a running analyzer in Chromium, on a real broker. */
class DashboardTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOKEN = "0123456789abcdef-dashboard";
    private static final String[] THEMES = {"light", "dark"};

    /** A text of each view that comes from its data. */
    private static final Map<String, String> CONTENT = Map.of(
            "now", "noisy",
            "caller/noisy", "allowed (",
            "policies", "locks when above 100",
            "agents", "orders-1",
            "letters", "dead-letters show ",
            "audit", "locked");

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

    /** Nothing ends by itself or is held back while the tests run. */
    private static final PolicySet POLICIES =
            TestPolicies.set("{'guard':{'subjects':'100%','atLeast':1000},'policies':["
                    + "{'name':'p','per':['caller'],'window':'10m','lock':{'when':[{'above':100}]}}]}");

    @TempDir
    static Path folder;

    private static final AtomicReference<Api> served = new AtomicReference<>();
    private static Browser browser;
    private static TestFleet fleet;
    private static Analyzer analyzer;
    private static HttpEndpoint server;

    @BeforeAll
    static void analyzerWithLock_browserSignedIn() throws Exception {
        browser = Browser.start(Files.createDirectory(folder.resolve("profile")));
        fleet = new TestFleet(folder, 1);
        analyzer = fleet.start("one", POLICIES);
        fleet.awaitReady();
        served.set(open());
        server = listen(0);
        AgentHeartbeat beat =
                new AgentHeartbeat("orders-1", "orders", Freshness.FRESH, 1, 2, 3, 4, 5, Map.of("p", 3L), Map.of());
        TestKafka.send(fleet.topics.agents(), "orders-1", AgentHeartbeatJson.write(beat));
        fleet.send("noisy", 150);
        TestKafka.send(fleet.topics.requests(), List.of("not JSON"));
        fleet.send("quiet", 20);
        browser.open(address("/"));
        browser.awaitText("Sign in");
        browser.find("#token").sendKeys(TOKEN);
        browser.find("button[type=submit]").click();
        browser.awaitText("Locked callers");
    }

    private static Api open() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), TOKEN);
        return Api.open(
                new HttpSettings("127.0.0.1", 8480, token, true, List.of()),
                TestKafka.client(),
                fleet.topics,
                new Api.Instance(
                        "one",
                        600_000,
                        analyzer::running,
                        analyzer::counts,
                        analyzer.tasks().orElseThrow()));
    }

    private static HttpEndpoint listen(int port) throws IOException {
        return HttpEndpoint.open(
                "127.0.0.1",
                port,
                HttpEndpoint.Bounds.of(100),
                "test-dashboard",
                (request, response, callback) -> served.get().answer(request, response, callback));
    }

    private static String address(String path) {
        return server.uri() + path;
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
            served.get().close();
            fleet.close();
        }
    }

    @Test
    void now_lockedCaller_isShownWithEvidence() {
        browser.open(address("/#/now"));
        browser.awaitText("noisy", "blocked", "is allowed.", "by p", "Live");

        assertThat(browser.all(".chart canvas")).hasSize(1);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void now_lockOpens_isShownWithoutReload() {
        browser.open(address("/#/now"));
        browser.awaitText("noisy", "Live");
        browser.run("window.kept = true");

        fleet.send("sudden", 150);

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
    void everyView_bothThemesAndNarrow_hasNoSeriousViolation() {
        for (String theme : THEMES) {
            browser.theme(theme);
            for (String view : CONTENT.keySet()) {
                browser.size(1280, 1000);
                browser.open(address("/#/" + view));
                browser.awaitText(CONTENT.get(view), "Live");
                String name = view.replace("/noisy", "") + "-" + theme;
                check(name);
                browser.size(380, 900);
                check(name + "-narrow");
                browser.size(3840, 2160);
                check(name + "-4k");
            }
        }
        browser.size(1280, 1000);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    @Tag("full")
    void audit_csv_hasNoCellThatSpreadsheetsExecute() {
        browser.open(address("/#/audit"));

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
                .topicPrefix(fleet.topics.prefix())
                .service("orders")
                .build()) {
            fleet.send("patient", 150);
            // a lock that the guard holds back is enforced once there is room and its caller goes on
            await().atMost(PATIENCE).until(() -> {
                fleet.send("patient", 10);
                return !admits(agent, "patient");
            });
            browser.open(address("/#/now"));
            browser.awaitText("patient", "Live");

            browser.find("[aria-label='Release patient of p']").click();
            browser.find("#release-author").sendKeys("ann");
            browser.find("#release-reason").sendKeys("talked to them");
            browser.screenshot("release");
            assertThat(browser.violations()).isEmpty();
            browser.find("dialog button[type=submit]").click();

            await().atMost(PATIENCE).until(() -> admits(agent, "patient"));
            browser.awaitText("released", "talked to them");
            browser.open(address("/#/audit?q=talked"));
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
                    fleet.topics.operator(), CompositeKey.text(OperatorJson.key(lock)), OperatorJson.write(lock));
            AgentHeartbeat beat =
                    new AgentHeartbeat(name, name, Freshness.FRESH, 1, 2, 3, 4, 5, Map.of(name, 1L), Map.of());
            TestKafka.send(fleet.topics.agents(), name, AgentHeartbeatJson.write(beat));
        }
        for (String view : List.of("now", "agents", "policies", "caller/" + encoded(names.get(0)))) {
            browser.open(address("/#/" + view));
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
        browser.open(address("/#/now"));
        browser.awaitText("noisy", "Live");
        browser.run("window.kept = true");
        int port = server.uri().getPort();

        server.close();
        browser.awaitText("Not up to date.", "Reconnecting");
        server = listen(port);

        browser.awaitText("Live");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(browser.text()).doesNotContain("Not up to date."));
        assertThat(browser.run("return window.kept")).isEqualTo(true);
        // the console shows each request that failed meanwhile; errors of scripts would differ
        assertThat(browser.errors()).allMatch(error -> error.contains("Failed to load resource"));
    }

    private static void check(String name) {
        browser.screenshot(name);
        assertThat(browser.violations()).as(name).isEmpty();
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .as(name + " scrolls sideways")
                .isEqualTo(true);
    }
}
