package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The view of one caller in Chromium, with policies of every condition, on a real broker. */
@Tag("server")
@Tag("full")
class DashboardCallerTest {
    private static final int SECONDS = 40;

    @RegisterExtension
    static final DashboardStage stage = new DashboardStage(
            TestPolicies.set("{'guard':{'subjects':'100%','atLeast':1000},'policies':["
                    + policy("p", "10m", "{'when':[{'above':100}]}")
                    + ","
                    + policy("usual", "1s", "{'when':[{'spike':900,'baseline':'30m','floor':5000}]}")
                    + ","
                    + policy("crowd", "10m", "{'when':[{'share':'99%','of':[],'beyond':9000}]}")
                    + ","
                    + policy("credit", "10m", "{'when':[{'above':200}],'for':'debt'}")
                    + ",{'name':'service','per':['service'],'window':'10m','lock':{'when':[{'above':1000000}]}}"
                    + ",{'name':'everybody','per':[],'window':'10m','lock':{'when':[{'above':2000000}]}}]}"),
            "");

    @BeforeAll
    static void callerWithAPast() {
        long end = System.currentTimeMillis();
        List<String> events = new ArrayList<>();
        for (int i = 0; i < SECONDS * 4; i++) {
            events.add(TestFleet.event("regular", end - SECONDS * 1000L + i * 250L));
        }
        TestKafka.send(stage.fleet.topics.requests(), events);
    }

    private static String policy(String name, String window, String lock) {
        return "{'name':'" + name + "','per':['caller'],'window':'" + window + "','lock':" + lock + "}";
    }

    @Test
    void caller_ofFourPolicies_showsWhatEachSaysAndItsWindowOverTime() {
        stage.browser.size(1_280, 1_000);
        stage.browser.open(stage.address("/#/caller/regular"));
        stage.browser.awaitText(
                "Live",
                "160 requests; 100 is allowed.",
                "times what is usual, ",
                "; 99% is allowed.",
                "A debt of ",
                " requests; 200 is allowed.",
                "what is usual",
                "Share of the load",
                "Decisions of the last day",
                "requests in 10 min; 100 is allowed.");

        assertThat(stage.browser.all("[aria-label='Locked callers'] tbody tr")).hasSize(1);
        await().atMost(Duration.ofMinutes(2))
                .until(() -> !stage.browser
                        .all("[aria-label='Decisions of the last day'] tbody tr")
                        .isEmpty());
        assertThat(stage.browser.all(".standings .tag.hard")).hasSize(1);
        assertThat(stage.browser.all(".standings .tag.good")).hasSize(3);
        // shares are published once a second
        await().atMost(Duration.ofMinutes(2))
                .until(() -> stage.browser.all(".chart canvas").size() == 8);
        assertThat(stage.browser.errors()).isEmpty();
        stage.browser.screenshot("caller-policies");
    }

    @Test
    void neighbours_areNamedOnDemandWithWhatTheyShare() {
        TestKafka.send(
                stage.fleet.topics.requests(),
                List.of(
                        from("192.0.2.7", "upstairs"),
                        from("192.0.2.7", "downstairs"),
                        from("192.0.2.8", "elsewhere")));
        stage.browser.open(stage.address("/#/caller/upstairs"));
        stage.browser.awaitText("Searches the newest 50,000 requests of the log.");

        stage.browser.find("#neighbours").click();

        stage.browser.awaitText(" requests 1 are its own.");
        assertThat(stage.browser
                        .find("[aria-label='Callers that share an address or a label'] tbody")
                        .getText())
                .contains("192.0.2.7", "downstairs")
                .doesNotContain("elsewhere");
        assertThat(stage.browser.errors()).isEmpty();
    }

    private static String from(String ip, String caller) {
        return TestFleet.event(caller).replace("{", "{\"ip\":\"" + ip + "\",");
    }

    @Test
    void caller_aWholeIpv6Address_leadsToItsNetwork() {
        stage.browser.open(stage.address("/#/caller/2001:db8::17"));
        stage.browser.awaitText("Gates and access logs name IPv6 callers by their network: 2001:db8::/64");

        stage.browser.find("a[href='#/caller/2001%3Adb8%3A%3A%2F64']").click();

        await().atMost(Duration.ofMinutes(2))
                .until(() -> stage.browser.find("h1").getText().equals("2001:db8::/64"));
        assertThat(stage.browser.find(".view").getText()).doesNotContain("name IPv6 callers");
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    void caller_unknown_saysWhatToDo() {
        stage.browser.open(stage.address("/#/caller/"));
        stage.browser.awaitText("Type the name of a caller");
        stage.browser.open(stage.address("/#/caller?policy=none&subject=x"));
        stage.browser.awaitText("Not up to date.", "none");
        stage.browser.errors();
    }

    /** Renewals are no decisions, so a lock lasts longer than its first lease. */
    @Test
    void lockIntervals_ofARenewedLock_endWhereItsEndWasRecorded() {
        Object intervals = stage.browser.runAsync(
                "const [done] = arguments; const lock = (since, until) => ({lock: {mode: 'block', since, until}});"
                        + "import('/dashboard/intervals.js').then(({lockIntervals}) => done(lockIntervals(["
                        + "{at: 10, event: 'opened', ...lock(10, 15)}, {at: 40, event: 'released', ...lock(10, 40)},"
                        + "{at: 50, event: 'opened', ...lock(50, 55)}, {at: 80, event: 'opened', ...lock(80, 85)}], [], 100)))");

        assertThat(intervals)
                .isEqualTo(List.of(
                        Map.of("since", 10L, "until", 40L, "soft", false),
                        Map.of("since", 50L, "until", 55L, "soft", false),
                        Map.of("since", 80L, "until", 85L, "soft", false)));
    }

    @Test
    void subjectThatIsNoCaller_isShownByItsPolicy() {
        stage.browser.open(stage.address("/#/caller/orders?policy=service"));

        stage.browser.awaitText("1,000,000 is allowed.");
        assertThat(stage.browser.text()).doesNotContain("No policy in force counts this caller");

        stage.browser.open(stage.address("/#/caller?policy=everybody"));
        stage.browser.awaitText("2,000,000 is allowed.");
        assertThat(stage.browser.find("h1").getText()).isEqualTo("all callers");
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    void lockIntervals_ofTheDecisionLogAndLocksInForce_endWhereTheyEnded() {
        Object intervals = stage.browser.runAsync(
                "const [done] = arguments; const lock = (until, more) => ({lock: {mode: 'block', until, ...more}});"
                        + "import('/dashboard/intervals.js').then(({lockIntervals}) => done(lockIntervals(["
                        + "{at: 10, event: 'opened', ...lock(50)}, {at: 20, event: 'released', ...lock(50)},"
                        + "{at: 30, event: 'guarded', ...lock(90, {guarded: true})}, {at: 40, event: 'armed', ...lock(90)},"
                        + "{at: 60, event: 'expired', ...lock(60)}, {appended: 65, type: 'operator-release', key: ['p', 'x']},"
                        + "{at: 70, event: 'opened', ...lock(200, {shadow: true})}], [{since: 71, until: 200, shadow: true}], 100)))");

        assertThat(intervals)
                .isEqualTo(List.of(
                        Map.of("since", 10L, "until", 20L, "soft", false),
                        Map.of("since", 30L, "until", 40L, "soft", true),
                        Map.of("since", 40L, "until", 60L, "soft", false),
                        Map.of("since", 70L, "until", 100L, "soft", true)));
    }
}
