package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that several policies lock, and callers that none can lock, in the view Now in Chromium. */
@Tag("server")
@Tag("full")
class DashboardNowTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String HOSTILE = "<img src=x onerror=window.hostile=1>";

    @RegisterExtension
    static final DashboardStage stage = new DashboardStage(
            TestPolicies.set("{'guard':{'subjects':'100%','atLeast':1000},'policies':["
                    + "{'name':'watched','per':['caller'],'window':'10m','lock':{'when':[{'above':100}],'shadow':true}},"
                    + "{'name':'p','per':['caller'],'window':'10m','lock':{'when':[{'above':100}]}}]}"),
            "");

    @Test
    void caller_blockedAndInShadow_hasATagForEachWithTheBlockFirst() {
        stage.view("now");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                stage.browser.run(
                                        "return [...document.querySelectorAll(\"[aria-label='Busiest callers'] tbody tr\")]"
                                                + ".filter((row) => row.textContent.includes('noisy'))"
                                                + ".flatMap((row) => [...row.querySelectorAll('.tag')]).map((tag) => `${tag.className}: ${tag.textContent}`)"))
                        .isEqualTo(
                                List.of("tag hard: blocked (p)", "tag soft: shadow: nothing is rejected (watched)")));
    }

    @Test
    void claimedCallers_areNamedWithTheirSourceAndTheSetting() {
        stage.view("now");
        AtomicLong sent = new AtomicLong();
        // the note is about the last minute, which can pass before it is painted
        await().atMost(PATIENCE).untilAsserted(() -> {
            sent.addAndGet(sendClaimed());
            assertThat(stage.browser.text()).contains("Some callers are only claimed.", "which can’t be locked");
        });

        sent.addAndGet(sendClaimed());
        stage.browser.find("#claimed").click();

        stage.browser.awaitText(HOSTILE, stage.fleet.topics.requests(), "agent.identity: authenticated");
        assertThat(stage.browser
                        .find("[aria-label='Claimed callers']")
                        .getText()
                        .replace(",", ""))
                .contains(HOSTILE, "orders", sent.toString())
                .doesNotContain("noisy");
        assertThat(stage.browser.run("return window.hostile")).isNull();
        for (String theme : DashboardStage.THEMES) {
            stage.browser.wear(theme);
            assertThat(stage.browser.violations()).as(theme).isEmpty();
        }
        stage.browser.wear("light");
        assertThat(stage.browser.errors()).isEmpty();
    }

    private static int sendClaimed() {
        String event = TestFleet.event(HOSTILE).replace("{", "{\"identity\":\"claimed\",");
        TestKafka.send(stage.fleet.topics.requests(), Collections.nCopies(40, event));
        return 40;
    }

    @Test
    void invisibleCharacters_inNames_areShownAsTheirCodes() {
        Object shown = stage.browser.runAsync(
                "const [done] = arguments; import('/dashboard/dom.js').then(({element}) =>"
                        + "done(element('p', {}, 'ac\\u200bme \\u202eemca \\u0007 \\u2028\\n \\u00e9 \\u05d0').textContent))");

        assertThat(shown).isEqualTo("ac\\u200bme \\u202eemca \\u0007 \\u2028\n é א");
    }

    @Test
    void samples_ofOneTime_areOneInTheChart() {
        Object times =
                stage.browser.runAsync("const [done] = arguments; import('/dashboard/samples.js').then(({samples}) => {"
                        + "samples.list = []; for (const brokerTime of [1000, 1000, 4000, 3000]) { samples.add({brokerTime, callers: [], totals: []}); }"
                        + "done(samples.list.map((one) => one.at)); })");

        assertThat(times).isEqualTo(List.of(1L, 3L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "constructor",
                "__proto__",
                "%",
                "%E0%A4%A",
                "javascript:window.hostile=1",
                "//example.org"
            })
    void addressOfNoView_showsNow(String view) {
        stage.browser.open(stage.address("/#/" + view));

        stage.browser.awaitText("Locked callers", "noisy");
        assertThat(stage.browser.run("return window.hostile")).isNull();
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    void missingPartitions_ofNearestSubjects_areInTheCardsNote() {
        stage.browser.open(stage.address("/#/now"));
        stage.browser.awaitText("Locked callers", "noisy");
        Object text = stage.browser.runAsync("""
                const [done] = arguments;
                const sent = window.fetch;
                const answer = {measure: 'requests', buckets: Array(11).fill(0), nearest: [{subject: ['near'], sum: 1, threshold: 2}],
                  missing: [{what: 'partition 0', why: 'nothing answers there'}, {what: 'partition 1', why: 'nothing answers there'}]};
                window.fetch = (path, options) => path.includes('/p/nearest') ? Promise.resolve(new Response(JSON.stringify(answer))) : sent(path, options);
                import('/dashboard/nearest.js').then(async ({nearestCard}) => {
                  const card = nearestCard();
                  await card.refresh({name: 'p', lock: {}});
                  window.fetch = sent;
                  done(card.element.textContent);
                });
                """);

        assertThat(text)
                .asString()
                .contains("near", "those of this moment. Incomplete: partition 0, partition 1: nothing answers there.");
    }

    @Test
    void missingPartitions_ofOneReason_areOneBanner() {
        Object banners = stage.browser.runAsync(
                "const [done] = arguments; import('/dashboard/now.js').then(({missingByReason}) => done(Object.fromEntries(missingByReason("
                        + "['0', '1', '0', '1', '2', '3', '4', '5', '6'].map((i) => ({what: `partition ${i}`, why: 'dead'}))"
                        + ".concat({what: 'two', why: 'too old'})))))");

        assertThat(banners)
                .isEqualTo(Map.of(
                        "dead",
                                "partition 0, partition 1, partition 2, partition 3, partition 4, partition 5 and 1 more",
                        "too old", "two"));
    }
}
