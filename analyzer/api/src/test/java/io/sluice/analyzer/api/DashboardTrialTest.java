package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestFleet;
import java.io.ByteArrayOutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replays and trials in the dashboard of a running analyzer, in Chromium, on a real broker. */
@Tag("server")
@Tag("full")
class DashboardTrialTest {
    private static final long START = 1_763_700_000_000L;
    private static final String HOSTILE = "<img src=x onerror=window.hostile=1>";

    @RegisterExtension
    static final DashboardStage stage = new DashboardStage();

    @BeforeAll
    static void moreCallers() {
        stage.fleet.send("near", 75);
        IntStream.range(0, 30).forEach(i -> stage.fleet.send("quiet-" + i, 1 + i));
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
        return stage.file("access.log", lines);
    }

    private static void checkBothThemes(String name) {
        for (String theme : List.of("light", "dark")) {
            stage.browser.theme(theme);
            stage.browser.size(1280, 1400);
            stage.browser.screenshot(name + "-" + theme);
            assertThat(stage.browser.violations()).as(name + " " + theme).isEmpty();
            stage.browser.size(380, 900);
            stage.browser.screenshot(name + "-" + theme + "-narrow");
            assertThat(stage.browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                    .as(name + " scrolls sideways")
                    .isEqualTo(true);
        }
        stage.browser.theme("light");
        stage.browser.size(1280, 1000);
    }

    @Test
    void replay_logAndPolicyFile_showsLocksOnATimeLine() throws Exception {
        stage.browser.open(stage.address("/#/replay"));
        stage.browser.awaitText("At most", "Live");
        stage.browser.find("#replay-log").sendKeys(log().toString());
        stage.browser.run("const which = document.getElementById('replay-which'); which.value = 'file';"
                + "which.dispatchEvent(new Event('change'))");
        stage.browser
                .find("#replay-policies")
                .sendKeys(stage.file(
                                "tried.yml",
                                "policies: [{ name: tried, per: [caller], window: 1m, lock: { when: [{ above: 60 }], for: 2m } }]")
                        .toString());
        stage.browser.find(".drop button[type=submit]").click();

        stage.browser.awaitText(
                "Replayed", "Busiest callers", "acme", "Would be rejected", "Unreadable lines", HOSTILE);
        assertThat(stage.browser.all(".chart canvas")).hasSize(1);
        assertThat(stage.browser.all(".lanes .bar")).isNotEmpty();
        assertThat(stage.browser.run("return window.hostile")).isNull();
        checkBothThemes("replayed");
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    void replay_jsonFilesAreDropped_theOneWithPoliciesIsThePolicyFile() {
        stage.browser.open(stage.address("/#/replay"));
        stage.browser.awaitText("At most", "Live");
        stage.browser.run(
                "const files = new DataTransfer();"
                        + "files.items.add(new File(['{\"version\": 1, \"policies\": [{\"name\": \"p\"}]}'], 'in-force.json'));"
                        + "files.items.add(new File(['{\"time\": 1, \"caller\": \"a\"}\\n'], 'access.json'));"
                        + "document.querySelector('.drop').dispatchEvent(new DragEvent('drop', {dataTransfer: files, cancelable: true}))");

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(stage.browser.run("return ['policies', 'log'].map((input) =>"
                                + " document.getElementById(`replay-${input}`).files[0]?.name ?? '').join(' ')"))
                        .isEqualTo("in-force.json access.json"));
        assertThat(stage.browser.run("return document.getElementById('replay-which').value"))
                .isEqualTo("file");
        assertThat(stage.browser.errors()).isEmpty();
    }

    /** Its policies begin behind what the page looks at, and no line of a log is as long. */
    @Test
    void replay_jsonFileOfPoliciesThatIsTooLong_isRefusedAsSuch() {
        stage.browser.open(stage.address("/#/replay"));
        stage.browser.awaitText("At most", "Live");
        stage.browser.run(
                "const entry = '{\"caller\": \"' + 'a'.repeat(100) + '\"},'; const line = '{\"type\": \"request\", \"caller\": \"a\"}\\n';"
                        + "const files = new DataTransfer();"
                        + "files.items.add(new File(['{\"version\": 1, \"allow\": [', entry.repeat(12_000), '{\"caller\": \"b\"}], \"policies\": []}'], 'long.json'));"
                        + "files.items.add(new File([line.repeat(40_000)], 'access.json'));"
                        + "document.querySelector('.drop').dispatchEvent(new DragEvent('drop', {dataTransfer: files, cancelable: true}))");
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(stage.browser.run("return ['policies', 'log'].map((input) =>"
                                + " document.getElementById(`replay-${input}`).files[0]?.name ?? '').join(' ')"))
                        .isEqualTo("long.json access.json"));

        stage.browser.find(".drop button[type=submit]").click();

        stage.browser.awaitText("Not replayed:", "at most 1048576 are read");
        // the console shows the refusal
        assertThat(stage.browser.errors()).allMatch(error -> error.contains("400"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{lock: {mode: 'block', shadow: false}} | armed",
                "{lock: {mode: 'shadow', shadow: false}} | shadow",
                "{lock: {mode: 'block', shadow: true}} | shadow",
                "{limit: {shadow: true}} | shadow",
                "{lock: {mode: 'block', shadow: true}, limit: {shadow: false}} | armed",
                "{limit: {shadow: true}, overrides: [{limit: {shadow: false}}]} | armed",
            })
    void policies_stateOfEach_isArmedWhereItRejects(String policy, String state) {
        assertThat(stage.browser.runAsync(
                        "const [done] = arguments; import('/dashboard/policies.js').then(({stateOf}) => done(stateOf("
                                + policy + ", {enforce: true})))"))
                .isEqualTo(state);
    }

    @Test
    void replay_invalidPolicies_showsEachProblem() throws Exception {
        stage.browser.open(stage.address("/#/replay"));
        stage.browser.awaitText("At most", "Live");
        stage.browser.find(".drop button[type=submit]").click();
        stage.browser.awaitText("Choose a log");
        stage.browser.find("#replay-log").sendKeys(log().toString());
        stage.browser.run("const which = document.getElementById('replay-which'); which.value = 'file';"
                + "which.dispatchEvent(new Event('change'))");
        stage.browser
                .find("#replay-policies")
                .sendKeys(stage.file("wrong.yml", "policies: [{ name: Wrong!, per: [color] }]")
                        .toString());
        stage.browser.find(".drop button[type=submit]").click();

        stage.browser.awaitText("Not replayed:", "Wrong!", "color");
        // the console shows the refusal
        assertThat(stage.browser.errors()).allMatch(error -> error.contains("400"));
    }

    @Test
    void replay_brokenOrTooLargeUpload_isExplained() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            Files.copy(log(), gzip);
        }
        Path cut = stage.file("cut.log.gz", "");
        Files.write(cut, Arrays.copyOf(packed.toByteArray(), packed.size() / 2));
        Path large = stage.file("large.log", "");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(40 << 20);
        }
        stage.browser.open(stage.address("/#/replay"));
        stage.browser.awaitText("At most", "Live");

        stage.browser.find("#replay-log").sendKeys(large.toString());
        stage.browser.find(".drop button[type=submit]").click();
        stage.browser.awaitText("The files have 40 MiB, allowed are", "Compress the log with gzip");
        stage.browser.find("#replay-log").sendKeys(cut.toString());
        stage.browser.find(".drop button[type=submit]").click();
        stage.browser.awaitText("Not replayed: cut.log.gz");

        // the console shows the refusal
        assertThat(stage.browser.errors()).allMatch(error -> error.contains("400"));
    }

    @Test
    void trial_lowerThreshold_showsItsLocks_andIsApplied() {
        stage.browser.open(stage.address("/#/policies/p"));
        stage.browser.awaitText(
                "Nearest to the threshold of p", "noisy", "over 100 %", "Try other thresholds of p", "Live");
        stage.browser.run("const input = document.querySelector('[data-field=above]'); input.value = '50'");
        stage.browser.find("#main-content form button[type=submit]").click();

        stage.browser.awaitText("Tried on the last 60 min", "near", "Changes against the policies in force");
        checkBothThemes("trial");
        stage.browser.run(
                "[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Apply')).click()");
        stage.browser.find("#apply-author").clear();
        stage.browser.find("#apply-author").sendKeys("ann");
        stage.browser.find("#apply-reason").sendKeys("near is too much");
        stage.browser.find("dialog button[type=submit]").click();

        stage.browser.awaitText("locks when above 50", "was replaced", "lock.when");
        stage.browser.screenshot("revisions");
        assertThat(stage.browser.errors()).isEmpty();
    }
}
