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
import io.sluice.contract.policy.PolicySet;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.ProxySettings;
import io.sluice.settings.TlsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** Users with roles in Chromium, on a real broker. */
@Tag("full")
class DashboardRolesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LOOKER = "lee-0123456789abcdef";
    private static final String OPERATOR = "olga-0123456789abcdef";
    private static final PolicySet POLICIES =
            TestPolicies.set("{'guard':{'subjects':'100%','atLeast':1000},'policies':["
                    + "{'name':'p','per':['caller'],'window':'10m','lock':{'when':[{'above':100}]}}]}");

    @TempDir
    static Path folder;

    private static Browser browser;
    private static TestFleet fleet;
    private static Api api;
    private static HttpEndpoint server;

    @BeforeAll
    static void analyzerWithUsers() throws Exception {
        browser = Browser.start(Files.createDirectory(folder.resolve("profile")));
        fleet = new TestFleet(folder, 1);
        Analyzer analyzer = fleet.start("one", POLICIES);
        fleet.awaitReady();
        Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef-common");
        Path users =
                Files.writeString(folder.resolve("users"), "lee look " + LOOKER + "\nolga operate " + OPERATOR + "\n");
        api = Api.open(
                new HttpSettings(
                        "127.0.0.1", 8480, token, true, List.of(), TlsSettings.NONE, null, users, ProxySettings.NONE),
                TestKafka.client(),
                fleet.topics,
                new ServedAnalyzer(
                        "one",
                        600_000,
                        analyzer::running,
                        analyzer::counts,
                        analyzer.tasks().orElseThrow()));
        server = HttpEndpoint.open("127.0.0.1", 0, HttpEndpoint.Bounds.of(100), "test-roles", api);
        fleet.send("noisy", 150);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
            api.close();
            fleet.close();
        }
    }

    @BeforeEach
    void forgetErrorsOfOtherTests() {
        browser.errors();
    }

    private static void signIn(String token) {
        browser.open(server.uri() + "/");
        await().atMost(PATIENCE)
                .until(() -> !browser.all("#token, #sign-out:not([hidden])").isEmpty());
        if (browser.all("#token").isEmpty()) {
            browser.find("#sign-out").click();
            browser.awaitText("Sign in");
        }
        browser.find("#token").sendKeys(token);
        browser.find("form button[type=submit]").click();
        browser.awaitText("Locked callers", "noisy", "Live");
    }

    private static void submit() {
        browser.find("dialog button[type=submit]").click();
        await().atMost(PATIENCE).until(() -> browser.all("dialog").isEmpty());
    }

    @Test
    void looker_seesNoButtonThatChanges() {
        signIn(LOOKER);

        browser.awaitText("lee (look)");
        assertThat(browser.all("#add-lock, #switch-off, [aria-label^=Release]")).isEmpty();
        browser.open(server.uri() + "/#/caller/noisy");
        browser.awaitText("Decisions of the last day", "is allowed.");
        assertThat(browser.all("#add-lock, [aria-label^=Release]")).isEmpty();
        assertThat(browser.runAsync(
                        "const [done] = arguments; fetch('/api/v1/locks/p/noisy?reason=r', {method: 'DELETE'})"
                                + ".then((answer) => done(answer.status));"))
                .isEqualTo(403L);
    }

    @Test
    void operator_locksSwitchesAndReleases_andTheAuditNamesIt() {
        try (GateAgent agent = GateAgent.builder()
                .bootstrap(String.valueOf(TestKafka.client().get("bootstrap.servers")))
                .topicPrefix(fleet.topics.prefix())
                .service("orders")
                .build()) {
            await().atMost(PATIENCE).until(() -> !admits(agent, "noisy"));
            signIn(OPERATOR);
            browser.awaitText("olga (operate)");

            browser.find("#add-lock").click();
            await().atMost(PATIENCE).until(() -> !browser.all("#lock-value-0").isEmpty());
            browser.find("#lock-value-0").sendKeys("by-hand");
            browser.find("#lock-reason").sendKeys("seen in the log");
            assertThat(browser.violations()).isEmpty();
            browser.screenshot("add-lock");
            submit();
            await().atMost(PATIENCE).until(() -> !admits(agent, "by-hand"));

            browser.find("#switch-off").click();
            browser.find("#enforce-reason").sendKeys("drill");
            submit();
            browser.awaitText("Rejection is switched off everywhere.", "By olga");
            await().atMost(PATIENCE).until(() -> admits(agent, "by-hand"));
            browser.find(".banner").findElement(By.tagName("button")).click();
            browser.find("#enforce-reason").sendKeys("drill is over");
            submit();
            await().atMost(PATIENCE).until(() -> !admits(agent, "by-hand"));

            browser.find("[aria-label='Release by-hand of p']").click();
            assertThat(browser.all("#release-author")).isEmpty();
            browser.find("#release-reason").sendKeys("talked to them");
            submit();
            await().atMost(PATIENCE).until(() -> admits(agent, "by-hand"));

            browser.open(server.uri() + "/#/audit?q=olga");
            browser.awaitText("seen in the log", "drill is over", "talked to them", "rejection switched off");
            assertThat(browser.errors()).isEmpty();
        }
    }

    @Test
    void link_opensThePageOnce_withoutToken() {
        signIn(LOOKER);
        Object code = browser.runAsync("const [done] = arguments; fetch('/api/v1/session').then((one) => one.json())"
                + ".then((one) => fetch('/api/v1/session/links', {method: 'POST', headers: {'X-Sluice-CSRF': one.csrf}}))"
                + ".then((one) => one.json()).then((one) => done(one.code));");
        browser.find("#sign-out").click();
        browser.awaitText("Sign in");

        browser.open(server.uri() + "/#/sign-in?code=" + code);
        browser.awaitText("lee (look)", "Locked callers");
        assertThat(String.valueOf(browser.run("return location.hash"))).isEqualTo("#/now");

        browser.find("#sign-out").click();
        browser.awaitText("Sign in");
        browser.open(server.uri() + "/#/sign-in?code=" + code);
        browser.awaitText("Not signed in: the link is used", "./sluice dashboard");
    }

    private static boolean admits(GateAgent agent, String caller) {
        try (Verdict verdict = agent.check(Request.of(caller).build())) {
            return verdict.allowed();
        }
    }
}
