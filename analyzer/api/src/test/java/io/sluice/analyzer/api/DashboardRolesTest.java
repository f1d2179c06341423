package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.run.TestKafka;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Users with roles in Chromium, on a real broker. */
@Tag("server")
@Tag("full")
class DashboardRolesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LOOKER = "lee-0123456789abcdef";
    private static final String OPERATOR = "olga-0123456789abcdef";

    @RegisterExtension
    static final DashboardStage stage =
            new DashboardStage(DashboardStage.POLICIES, "lee look " + LOOKER + "\nolga operate " + OPERATOR + "\n");

    @BeforeEach
    void forgetErrorsOfOtherTests() {
        stage.browser.errors();
    }

    private static void signIn(String token) {
        stage.browser.open(stage.address("/"));
        await().atMost(PATIENCE)
                .until(() ->
                        !stage.browser.all("#token, #sign-out:not([hidden])").isEmpty());
        if (stage.browser.all("#token").isEmpty()) {
            stage.browser.find("#sign-out").click();
            stage.browser.awaitText("Sign in");
        }
        stage.browser.find("#token").sendKeys(token);
        stage.browser.find("form button[type=submit]").click();
        stage.browser.awaitText("Locked callers", "noisy", "Live");
    }

    private static void submit() {
        stage.browser.find("dialog button[type=submit]").click();
        await().atMost(PATIENCE).until(() -> stage.browser.all("dialog").isEmpty());
    }

    @Test
    void looker_seesNoButtonThatChanges() {
        signIn(LOOKER);

        stage.browser.awaitText("lee (look)");
        assertThat(stage.browser.all("#add-lock, #switch-off, [aria-label^=Release]"))
                .isEmpty();
        stage.browser.open(stage.address("/#/caller/noisy"));
        stage.browser.awaitText("Decisions of the last day", "is allowed.");
        assertThat(stage.browser.all("#add-lock, [aria-label^=Release]")).isEmpty();
        assertThat(stage.browser.runAsync(
                        "const [done] = arguments; fetch('/api/v1/locks/p/noisy?reason=r', {method: 'DELETE'})"
                                + ".then((answer) => done(answer.status));"))
                .isEqualTo(403L);
    }

    @Test
    void operator_locksSwitchesAndReleases_andTheAuditNamesIt() {
        try (GateAgent agent = GateAgent.builder()
                .bootstrap(String.valueOf(TestKafka.client().get("bootstrap.servers")))
                .topicPrefix(stage.fleet.topics.prefix())
                .service("orders")
                .build()) {
            await().atMost(PATIENCE).until(() -> !admits(agent, "noisy"));
            signIn(OPERATOR);
            stage.browser.awaitText("olga (operate)");

            stage.browser.find("#add-lock").click();
            await().atMost(PATIENCE)
                    .until(() -> !stage.browser.all("#lock-value-0").isEmpty());
            stage.browser.find("#lock-value-0").sendKeys("by-hand");
            stage.browser.find("#lock-reason").sendKeys("seen in the log");
            assertThat(stage.browser.violations()).isEmpty();
            stage.browser.screenshot("add-lock");
            submit();
            await().atMost(PATIENCE).until(() -> !admits(agent, "by-hand"));

            stage.browser.find("#switch-off").click();
            stage.browser.find("#enforce-reason").sendKeys("drill");
            submit();
            stage.browser.awaitText("Rejection is switched off everywhere.", "By olga");
            await().atMost(PATIENCE).until(() -> admits(agent, "by-hand"));
            stage.browser.find(".banner").findElement(By.tagName("button")).click();
            stage.browser.find("#enforce-reason").sendKeys("drill is over");
            submit();
            await().atMost(PATIENCE).until(() -> !admits(agent, "by-hand"));

            stage.browser.find("[aria-label='Release by-hand of p']").click();
            assertThat(stage.browser.all("#release-author")).isEmpty();
            stage.browser.find("#release-reason").sendKeys("talked to them");
            submit();
            await().atMost(PATIENCE).until(() -> admits(agent, "by-hand"));

            stage.browser.open(stage.address("/#/audit?q=olga"));
            stage.browser.awaitText("seen in the log", "drill is over", "talked to them", "rejection switched off");
            assertThat(stage.browser.errors()).isEmpty();
        }
    }

    @Test
    void operator_isToldWhatAChangeDoesNotReach() {
        signIn(OPERATOR);
        stage.browser.awaitText("olga (operate)");

        stage.browser.find("#add-lock").click();
        await().atMost(PATIENCE).until(() -> !stage.browser.all("#lock-value-0").isEmpty());
        stage.browser.find("#lock-value-0").sendKeys("2001:db8::17");
        stage.browser.find("#lock-reason").sendKeys("typed");
        stage.browser.find("dialog button[type=submit]").click();

        stage.browser.awaitText("Add a lock: done", "did you mean 2001:db8::/64?");
        assertThat(stage.browser.violations()).isEmpty();
        stage.browser.screenshot("lock-remark");
        stage.browser.find("dialog button").click();
        await().atMost(PATIENCE).until(() -> stage.browser.all("dialog").isEmpty());
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    void link_opensThePageOnce_withoutToken() {
        signIn(LOOKER);
        Object code =
                stage.browser.runAsync("const [done] = arguments; fetch('/api/v1/session').then((one) => one.json())"
                        + ".then((one) => fetch('/api/v1/session/links', {method: 'POST', headers: {'X-Sluice-CSRF': one.csrf}}))"
                        + ".then((one) => one.json()).then((one) => done(one.code));");
        stage.browser.find("#sign-out").click();
        stage.browser.awaitText("Sign in");

        stage.browser.open(stage.address("/#/sign-in?code=" + code));
        stage.browser.awaitText("lee (look)", "Locked callers");
        assertThat(String.valueOf(stage.browser.run("return location.hash"))).isEqualTo("#/now");

        stage.browser.find("#sign-out").click();
        stage.browser.awaitText("Sign in");
        stage.browser.open(stage.address("/#/sign-in?code=" + code));
        stage.browser.awaitText("Not signed in: the link is used", "./sluice dashboard");
    }

    private static boolean admits(GateAgent agent, String caller) {
        try (Verdict verdict = agent.check(Request.of(caller).build())) {
            return verdict.allowed();
        }
    }
}
