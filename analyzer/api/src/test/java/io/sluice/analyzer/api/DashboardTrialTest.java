package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays and trials in the dashboard of a running analyzer, in Chromium, on a real broker. */
@Tag("full")
class DashboardTrialTest {
    private static final long START = 1_763_700_000_000L;
    private static final String TOKEN = "0123456789abcdef-dashboard";
    private static final String HOSTILE = "<img src=x onerror=window.hostile=1>";

    @TempDir
    static Path folder;

    private static Browser browser;
    private static TestFleet fleet;
    private static Api api;
    private static HttpEndpoint server;

    @BeforeAll
    static void analyzerThatHasCountedRequests_browserSignedIn() throws Exception {
        browser = Browser.start(Files.createDirectory(folder.resolve("profile")));
        fleet = new TestFleet(folder, 1);
        Analyzer analyzer = fleet.start(
                "one",
                TestPolicies.set("{'guard':{'subjects':'100%','atLeast':1000},'policies':["
                        + "{'name':'p','per':['caller'],'window':'10m','lock':{'when':[{'above':100}]}}]}"));
        fleet.awaitReady();
        api = Api.open(
                new HttpSettings("127.0.0.1", 8480, Files.writeString(folder.resolve("token"), TOKEN), true, List.of()),
                TestKafka.client(),
                fleet.topics,
                List.of(TestFleet.json(fleet.topics.requests())),
                new ServedAnalyzer(
                        "one",
                        600_000,
                        analyzer::running,
                        analyzer::counts,
                        analyzer.tasks().orElseThrow()));
        server = HttpEndpoint.open("127.0.0.1", 0, HttpEndpoint.Bounds.of(100), "test-trial", api);
        fleet.send("noisy", 150);
        fleet.send("near", 75);
        IntStream.range(0, 30).forEach(i -> fleet.send("quiet-" + i, 1 + i));
        browser.open(server.uri() + "/");
        browser.awaitText("Sign in");
        browser.find("#token").sendKeys(TOKEN);
        browser.find("button[type=submit]").click();
        browser.awaitText("Locked callers", "noisy");
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

    /** Half an hour of eight callers, one of them noisy for a while, one with a hostile name. */
    private static Path log() throws Exception {
        String lines = IntStream.range(0, 6_000)
                .mapToObj(i -> {
                    boolean burst = i > 2_000 && i < 4_000 && i % 3 != 0;
                    String caller = burst ? "acme" : i % 8 == 7 ? HOSTILE : "customer-" + i % 8;
                    return TestFleet.event(caller, START + i * 300L);
                })
                .collect(Collectors.joining("\n", "", "\nno JSON\n"));
        return Files.writeString(folder.resolve("access.log"), lines);
    }

    private static void checkBothThemes(String name) {
        for (String theme : List.of("light", "dark")) {
            browser.theme(theme);
            browser.size(1280, 1400);
            browser.screenshot(name + "-" + theme);
            assertThat(browser.violations()).as(name + " " + theme).isEmpty();
            browser.size(380, 900);
            browser.screenshot(name + "-" + theme + "-narrow");
            assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                    .as(name + " scrolls sideways")
                    .isEqualTo(true);
        }
        browser.theme("light");
        browser.size(1280, 1000);
    }

    @Test
    void replay_logAndPolicyFile_showsLocksOnATimeLine() throws Exception {
        browser.open(server.uri() + "/#/replay");
        browser.awaitText("At most", "Live");
        browser.find("#replay-log").sendKeys(log().toString());
        browser.run("const which = document.getElementById('replay-which'); which.value = 'file';"
                + "which.dispatchEvent(new Event('change'))");
        browser.find("#replay-policies")
                .sendKeys(Files.writeString(
                                folder.resolve("tried.yml"),
                                "policies: [{ name: tried, per: [caller], window: 1m, lock: { when: [{ above: 60 }], for: 2m } }]")
                        .toString());
        browser.find(".drop button[type=submit]").click();

        browser.awaitText("Replayed", "Busiest callers", "acme", "Would be rejected", "Unreadable lines", HOSTILE);
        assertThat(browser.all(".chart canvas")).hasSize(1);
        assertThat(browser.all(".lanes .bar")).isNotEmpty();
        assertThat(browser.run("return window.hostile")).isNull();
        checkBothThemes("replay");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void replay_invalidPolicies_showsEachProblem() throws Exception {
        browser.open(server.uri() + "/#/replay");
        browser.awaitText("At most", "Live");
        browser.find(".drop button[type=submit]").click();
        browser.awaitText("Choose a log");
        browser.find("#replay-log").sendKeys(log().toString());
        browser.run("const which = document.getElementById('replay-which'); which.value = 'file';"
                + "which.dispatchEvent(new Event('change'))");
        browser.find("#replay-policies")
                .sendKeys(Files.writeString(folder.resolve("wrong.yml"), "policies: [{ name: Wrong!, per: [color] }]")
                        .toString());
        browser.find(".drop button[type=submit]").click();

        browser.awaitText("Not replayed:", "Wrong!", "color");
        // the console shows the refusal
        assertThat(browser.errors()).allMatch(error -> error.contains("400"));
    }

    @Test
    void trial_lowerThreshold_showsItsLocks_andIsApplied() {
        browser.open(server.uri() + "/#/policies/p");
        browser.awaitText("Nearest to the threshold of p", "noisy", "over 100 %", "Try other thresholds of p", "Live");
        browser.run("const input = document.querySelector('[data-field=above]'); input.value = '50'");
        browser.find("#main-content form button[type=submit]").click();

        browser.awaitText("Tried on the last 60 min", "near", "Changes against the policies in force");
        checkBothThemes("trial");
        browser.run(
                "[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Apply')).click()");
        browser.find("#apply-author").clear();
        browser.find("#apply-author").sendKeys("ann");
        browser.find("#apply-reason").sendKeys("near is too much");
        browser.find("dialog button[type=submit]").click();

        browser.awaitText("locks when above 50", "was replaced", "lock.when");
        browser.screenshot("revisions");
        assertThat(browser.errors()).isEmpty();
    }
}
