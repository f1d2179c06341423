package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** The dashboard without a mouse, in Chromium. */
@Tag("server")
@Tag("full")
class DashboardKeyboardTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST_STEPS = 200;

    /** Tabs that are pressed at once. */
    private static final int STRIDE = 20;

    /** Names controls alike, wherever they are: by id, label, text and address. */
    private static final String NAME = "const name = (one) => [one.tagName, one.id, one.getAttribute('aria-label'),"
            + " one.matches('a, button') ? one.textContent : '', one.getAttribute('href')].join(' ');";

    private static final String REACHABLE = NAME
            + "return [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex=\"0\"]')]"
            + ".filter((one) => one.checkVisibility() && !one.disabled).map(name)";

    private static final String FOCUSED =
            NAME + "return document.activeElement === document.body ? '' : name(document.activeElement)";

    /** Records which elements get the focus, and whether they show it, until the page is left. */
    private static final String RECORD =
            NAME + "window.focuses = []; document.addEventListener('focusin', ({target}) => {"
                    + "const style = getComputedStyle(target);"
                    + "window.focuses.push([name(target), String(style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)]); })";

    /** Ignores Tab once the focus is on an element whose name contains a text, so that the Tabs of a stride that are left do no harm. */
    private static final String STOP_AT =
            NAME + "const text = arguments[0]; window.stopAt?.abort(); window.stopAt = new AbortController();"
                    + "document.addEventListener('keydown', (event) => {"
                    + "if (event.key === 'Tab' && name(document.activeElement).includes(text)) { event.preventDefault(); }"
                    + "}, {signal: window.stopAt.signal})";

    @RegisterExtension
    static final DashboardStage stage = new DashboardStage();

    @BeforeEach
    void wide() {
        stage.browser.size(1_280, 1_000);
    }

    @SuppressWarnings("unchecked")
    private static <T> List<T> list(String script) {
        return (List<T>) stage.browser.run(script);
    }

    private static String focused() {
        return String.valueOf(stage.browser.run(FOCUSED));
    }

    private static void pressTabs() {
        CharSequence[] tabs = new CharSequence[STRIDE];
        Arrays.fill(tabs, Keys.TAB);
        stage.browser.press(tabs);
    }

    /** Presses Tab, at least once, until the focus is on an element whose name contains this text. */
    private static void tabTo(String text) {
        stage.browser.press(Keys.TAB);
        stage.browser.run(STOP_AT, text);
        for (int i = 0; i < MOST_STEPS && !focused().contains(text); i += STRIDE) {
            pressTabs();
        }
        stage.browser.run("window.stopAt.abort()");
        assertThat(focused()).as("reached by Tab").contains(text);
    }

    @Test
    void everyControl_ofEveryView_isReachedAndShowsItsFocus() {
        for (String view : DashboardStage.CONTENT.keySet()) {
            stage.view(view);
            stage.browser.run(RECORD);
            Set<String> missing = new TreeSet<>(list(REACHABLE));
            Set<String> hidden = new TreeSet<>();
            for (int i = 0; i < MOST_STEPS && !missing.isEmpty(); i += STRIDE) {
                pressTabs();
                for (List<String> focus : DashboardKeyboardTest.<List<String>>list("return window.focuses.splice(0)")) {
                    missing.remove(focus.get(0));
                    if (focus.get(1).equals("false")) {
                        hidden.add(focus.get(0));
                    }
                }
                // what has left or changed meanwhile is reached the next time round
                missing.retainAll(list(REACHABLE));
            }
            assertThat(missing).as(view).isEmpty();
            assertThat(hidden).as(view + ": focus is not visible").isEmpty();
        }
    }

    @Test
    void skipLink_thenViews_areOperable() {
        stage.view("now");
        stage.browser.press(Keys.TAB);
        assertThat(focused()).contains("Skip to content");
        stage.browser.press(Keys.ENTER);
        assertThat(stage.browser.run("return document.activeElement.id")).isEqualTo("main-content");

        stage.view("now");
        tabTo("#/agents");
        stage.browser.press(Keys.ENTER);
        stage.browser.awaitText("orders-1", "Last heartbeat");
        tabTo("#/letters");
        stage.browser.press(Keys.ENTER);
        stage.browser.awaitText("Dead letters by reason".substring(0, 12), "not JSON");
    }

    @Test
    void linkInTheView_movesTheFocusToTheNewView() {
        stage.view("now");
        tabTo("A   noisy #/caller/noisy");
        stage.browser.press(Keys.ENTER);

        stage.browser.awaitText("Who shares its address");
        assertThat(stage.browser.run("return document.activeElement.id")).isEqualTo("main-content");
    }

    @Test
    void focus_inARowThatChanges_stays() {
        stage.view("now");
        // what was sent before the tests has faded on a slow machine
        stage.fleet.send("quiet", 20);
        await().atMost(PATIENCE).until(() -> stage.browser.text().contains("quiet"));
        tabTo("#/caller/quiet");
        String row = "return document.querySelector('[href^=\"#/caller/quiet\"]').closest('tr').textContent";
        Object before = stage.browser.run(row);

        stage.fleet.send("quiet", 20);

        await().atMost(PATIENCE).until(() -> !before.equals(stage.browser.run(row)));
        assertThat(focused()).contains("#/caller/quiet");
    }

    @Test
    void release_byKeyboardAlone_keepsTheFocusInTheDialog_andReturnsIt() {
        stage.fleet.send("typist", 150);
        stage.view("now");
        stage.browser.awaitText("typist");
        tabTo("Release typist of p");
        stage.browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !stage.browser.all("dialog[open]").isEmpty());
        for (int i = 0; i < 12; i++) {
            assertThat(
                            stage.browser.run(
                                    "return document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)"))
                    .as("step " + i)
                    .isEqualTo(true);
            stage.browser.press(Keys.TAB);
        }
        stage.browser.press(Keys.ESCAPE);
        await().atMost(PATIENCE).until(() -> stage.browser.all("dialog").isEmpty());
        assertThat(focused()).contains("Release typist of p");

        stage.browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !stage.browser.all("dialog[open]").isEmpty());
        assertThat(focused()).contains("release-author");
        stage.browser.press("ann", Keys.TAB, "called them", Keys.ENTER);
        stage.browser.awaitText("released", "called them");
        assertThat(stage.browser.all("dialog")).isEmpty();
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    void lockAndKillSwitch_byKeyboardAlone() {
        stage.view("now");
        tabTo("add-lock");
        stage.browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !stage.browser.all("#lock-value-0").isEmpty());
        tabTo("lock-value-0");
        stage.browser.press("by-key");
        tabTo("lock-author");
        stage.browser.press(Keys.chord(Keys.CONTROL, "a"), "ann", Keys.TAB, "a drill", Keys.ENTER);
        stage.browser.awaitText("by-key", "a drill");

        tabTo("switch-off");
        stage.browser.press(Keys.SPACE);
        await().atMost(PATIENCE).until(() -> !stage.browser.all("dialog[open]").isEmpty());
        tabTo("enforce-author");
        stage.browser.press(Keys.chord(Keys.CONTROL, "a"), "ann", Keys.TAB, "second drill", Keys.ENTER);
        stage.browser.awaitText("Rejection is switched off everywhere.");
        tabTo("Switch on…");
        stage.browser.press(Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !stage.browser.all("dialog[open]").isEmpty());
        stage.browser.press(Keys.chord(Keys.CONTROL, "a"), "over", Keys.ENTER);
        await().atMost(PATIENCE).until(() -> !stage.browser.text().contains("Rejection is switched off everywhere."));
        assertThat(stage.browser.errors()).isEmpty();
    }

    @Test
    void theme_byKeyboard_changesAndIsKept() {
        stage.browser.theme("light");
        stage.view("now");
        tabTo("theme");
        stage.browser.press(Keys.ENTER);
        assertThat(stage.browser.run("return document.documentElement.dataset.theme"))
                .isEqualTo("dark");
        stage.view("agents");
        assertThat(stage.browser.run("return document.documentElement.dataset.theme"))
                .isEqualTo("dark");
        stage.browser.run("localStorage.removeItem('sluice-theme')");
    }
}
