package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every view in both themes, from a telephone to a 4K screen, in Chromium. Its pictures are in {@code target/screenshots}. */
@Tag("full")
class DashboardLooksTest {
    private static final List<Integer> WIDTHS = List.of(380, 768, 1_280, 1_920, 3_840);
    private static final int TALLEST = 2_400;

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

    @Test
    void everyView_hasNoSeriousViolation_andFitsEveryWidth() {
        for (String theme : DashboardStage.THEMES) {
            browser.theme(theme);
            for (String view : DashboardStage.CONTENT.keySet()) {
                browser.size(1_280, 1_000);
                stage.view(view);
                String name = view.replace("/noisy", "") + "-" + theme;
                assertThat(browser.violations()).as(name).isEmpty();
                WIDTHS.forEach(width -> fits(name, width));
                assertThat(browser.errors()).as(name).isEmpty();
            }
        }
    }

    @Test
    void signIn_hasNoSeriousViolation_andFitsEveryWidth() {
        for (String theme : DashboardStage.THEMES) {
            browser.theme(theme);
            stage.view("now");
            browser.run("location.hash = '#/sign-in?code=00'; location.reload()");
            browser.awaitText("Not signed in");
            assertThat(browser.violations()).as("sign-in " + theme).isEmpty();
            WIDTHS.forEach(width -> fits("sign-in-" + theme, width));
        }
        browser.errors();
    }

    private static void fits(String name, int width) {
        browser.size(width, 900);
        int height = ((Number) browser.run("return document.documentElement.scrollHeight")).intValue();
        browser.size(width, Math.max(900, Math.min(TALLEST, height)));
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .as(name + " scrolls sideways at " + width)
                .isEqualTo(true);
        assertThat(browser.texts("overlaps.js")).as(name + " at " + width).isEmpty();
        if (width != 768 && width != 1_920) {
            browser.screenshot(name + (width == 380 ? "-narrow" : width == 3_840 ? "-4k" : ""));
        }
    }
}
