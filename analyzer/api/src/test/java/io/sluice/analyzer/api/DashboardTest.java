package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
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
        analyzer = fleet.start("one", TestPolicies.above(100));
        fleet.awaitReady();
        served.set(open());
        server = listen(0);
        AgentHeartbeat beat =
                new AgentHeartbeat("orders-1", "orders", Freshness.FRESH, 1, 2, 3, 4, 5, Map.of("p", 3L), Map.of());
        TestKafka.send(fleet.topics.agents(), "orders-1", AgentHeartbeatJson.write(beat));
        fleet.send("noisy", 150);
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
            for (String view : List.of("now")) {
                browser.size(1280, 1000);
                browser.open(address("/#/" + view));
                await().atMost(PATIENCE).until(() -> !browser.all("main h1").isEmpty());
                browser.awaitText("Live");
                check(view + "-" + theme);
                browser.size(500, 900);
                check(view + "-" + theme + "-narrow");
            }
        }
        browser.size(1280, 1000);
        assertThat(browser.errors()).isEmpty();
    }

    private static void check(String name) {
        browser.screenshot(name);
        assertThat(browser.violations()).as(name).isEmpty();
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .as(name + " scrolls sideways")
                .isEqualTo(true);
    }
}
