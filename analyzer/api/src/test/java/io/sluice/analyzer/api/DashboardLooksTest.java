package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every view in both themes, from a telephone to a 4K screen, in Chromium. Its pictures are in {@code analyzer/api/target/screenshots}. */
@Tag("server")
@Tag("full")
class DashboardLooksTest {
    private static final List<Integer> WIDTHS = List.of(380, 768, 1_280, 1_920, 3_840);
    private static final int TALLEST = 2_400;

    @RegisterExtension
    static final DashboardStage stage = new DashboardStage();

    @Test
    void everyView_hasNoSeriousViolation_andFitsEveryWidth() {
        for (String view : DashboardStage.CONTENT.keySet()) {
            stage.browser.size(1_280, 1_000);
            stage.view(view);
            looksRight(view.replace("/noisy", ""));
            assertThat(stage.browser.errors()).as(view).isEmpty();
        }
    }

    @Test
    void signIn_hasNoSeriousViolation_andFitsEveryWidth() {
        stage.browser.size(1_280, 1_000);
        stage.view("now");
        stage.browser.run("location.hash = '#/sign-in?code=00'; location.reload()");
        stage.browser.awaitText("Not signed in");
        looksRight("sign-in");
        stage.browser.errors();
    }

    private static void looksRight(String page) {
        for (String theme : DashboardStage.THEMES) {
            stage.browser.wear(theme);
            assertThat(stage.browser.violations()).as(page + " " + theme).isEmpty();
        }
        for (int width : WIDTHS) {
            stage.browser.size(width, 900);
            int height = ((Number) stage.browser.run("return document.documentElement.scrollHeight")).intValue();
            stage.browser.size(width, Math.max(900, Math.min(TALLEST, height)));
            for (String theme : DashboardStage.THEMES) {
                stage.browser.wear(theme);
                fits(page + "-" + theme, width);
            }
        }
    }

    private static void fits(String name, int width) {
        assertThat(stage.browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .as(name + " scrolls sideways at " + width)
                .isEqualTo(true);
        assertThat(stage.browser.texts("overlaps.js")).as(name + " at " + width).isEmpty();
        if (width != 768 && width != 1_920) {
            stage.browser.screenshot(name + (width == 380 ? "-narrow" : width == 3_840 ? "-4k" : ""));
        }
    }
}
