package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The dashboard without a mouse, in Chromium. */
@Tag("full")
class DashboardKeyboardTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST_STEPS = 200;

    /** Names controls alike, wherever they are: by id, label, text and address. */
    private static final String NAME = "const name = (one) => [one.tagName, one.id, one.getAttribute('aria-label'),"
            + " one.matches('a, button') ? one.textContent : '', one.getAttribute('href')].join(' ');";

    private static final String REACHABLE = NAME
            + "return [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex=\"0\"]')]"
            + ".filter((one) => one.checkVisibility() && !one.disabled).map(name)";

    /** The element with the focus, and whether it shows that it has it. */
    private static final String FOCUSED =
            NAME + "const one = document.activeElement; const style = getComputedStyle(one);"
                    + "return one === document.body ? ['', 'true'] : [name(one),"
                    + " String(style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)]";

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

    @BeforeEach
    void wide() {
        browser.size(1_280, 1_000);
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(String script) {
        return (List<String>) browser.run(script);
    }

    private static String focused() {
        return list(FOCUSED).get(0);
    }

    /** Presses Tab until the focus is on an element whose name contains this text. */
    private static void tabTo(String text) {
        for (int i = 0; i < MOST_STEPS; i++) {
            browser.press(Keys.TAB);
            if (focused().contains(text)) {
                return;
            }
        }
        throw new AssertionError(text + " is not reached by Tab; the focus is on " + focused());
    }

    @Test
    void everyControl_ofEveryView_isReachedAndShowsItsFocus() {
        for (String view : DashboardStage.CONTENT.keySet()) {
            stage.view(view);
            Set<String> missing = new TreeSet<>(list(REACHABLE));
            List<String> hidden = new ArrayList<>();
            for (int i = 0; i < MOST_STEPS && !missing.isEmpty(); i++) {
                browser.press(Keys.TAB);
                List<String> focus = list(FOCUSED);
                missing.remove(focus.get(0));
                if (focus.get(1).equals("false")) {
                    hidden.add(focus.get(0));
                }
            }
            // what has come or changed meanwhile is reached the next time round
            assertThat(missing).as(view).allMatch(name -> !list(REACHABLE).contains(name));
            assertThat(hidden).as(view + ": focus is not visible").isEmpty();
        }
    }

    @Test
    void skipLink_thenViews_areOperable() {
        stage.view("now");
        browser.press(Keys.TAB);
        assertThat(focused()).contains("Skip to content");
        browser.press(Keys.ENTER);
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("main-content");

        stage.view("now");
        tabTo("#/agents");
        browser.press(Keys.ENTER);
        browser.awaitText("orders-1", "Last heartbeat");
        tabTo("#/letters");
        browser.press(Keys.ENTER);
        browser.awaitText("Dead letters by reason".substring(0, 12), "not JSON");
    }

    @Test
    void linkInTheView_movesTheFocusToTheNewView() {
        stage.view("now");
        tabTo("A   noisy #/caller/noisy");
        browser.press(Keys.ENTER);

        browser.awaitText("Who shares its address");
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("main-content");
    }

    @Test
    void focus_inARowThatChanges_stays() {
        stage.view("now");
        await().atMost(PATIENCE).until(() -> browser.text().contains("quiet"));
        tabTo("#/caller/quiet");
        String row = "return document.querySelector('[href=\"#/caller/quiet\"]').closest('tr').textContent";
        Object before = browser.run(row);

        stage.fleet.send("quiet", 20);

        await().atMost(PATIENCE).until(() -> !before.equals(browser.run(row)));
        assertThat(focused()).contains("#/caller/quiet");
    }

    @Test
    void release_byKeyboardAlone_keepsTheFocusInTheDialog_andReturnsIt() {
        stage.fleet.send("typist", 150);
        stage.view("now");
        browser.awaitText("typist");
        tabTo("Release typist of p");
        browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !browser.all("dialog[open]").isEmpty());
        for (int i = 0; i < 12; i++) {
            assertThat(
                            browser.run(
                                    "return document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)"))
                    .as("step " + i)
                    .isEqualTo(true);
            browser.press(Keys.TAB);
        }
        browser.press(Keys.ESCAPE);
        await().atMost(PATIENCE).until(() -> browser.all("dialog").isEmpty());
        assertThat(focused()).contains("Release typist of p");

        browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !browser.all("dialog[open]").isEmpty());
        assertThat(focused()).contains("release-author");
        browser.press("ann", Keys.TAB, "called them", Keys.ENTER);
        browser.awaitText("released", "called them");
        assertThat(browser.all("dialog")).isEmpty();
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void lockAndKillSwitch_byKeyboardAlone() {
        stage.view("now");
        tabTo("add-lock");
        browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !browser.all("#lock-value-0").isEmpty());
        tabTo("lock-value-0");
        browser.press("by-key");
        tabTo("lock-author");
        browser.press(Keys.chord(Keys.CONTROL, "a"), "ann", Keys.TAB, "a drill", Keys.ENTER);
        browser.awaitText("by-key", "a drill");

        tabTo("switch-off");
        browser.press(Keys.SPACE);
        await().atMost(PATIENCE).until(() -> !browser.all("dialog[open]").isEmpty());
        tabTo("enforce-author");
        browser.press(Keys.chord(Keys.CONTROL, "a"), "ann", Keys.TAB, "second drill", Keys.ENTER);
        browser.awaitText("Rejection is switched off everywhere.");
        tabTo("Switch on…");
        browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !browser.all("dialog[open]").isEmpty());
        browser.press(Keys.chord(Keys.CONTROL, "a"), "over", Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !browser.text().contains("Rejection is switched off everywhere."));
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void theme_byKeyboard_changesAndIsKept() {
        browser.theme("light");
        stage.view("now");
        tabTo("theme");
        browser.press(Keys.ENTER);
        assertThat(browser.run("return document.documentElement.dataset.theme")).isEqualTo("dark");
        stage.view("agents");
        assertThat(browser.run("return document.documentElement.dataset.theme")).isEqualTo("dark");
        browser.run("localStorage.removeItem('sluice-theme')");
    }
}
