package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Colours of charts as Chromium paints them for readers with each deficiency of colour vision. */
@Tag("server")
@Tag("full")
class DashboardColoursTest {
    /** In Oklab (Ottosson, 2020), where 0.02 is a difference that is just noticed. */
    private static final double LEAST_DISTANCE = 0.08;

    private static final double LEAST_CHROMA = 0.09;
    private static final double LIGHTEST_BROWN = 0.62;
    private static final double DARKEST = 0.38;

    /** For graphical objects (WCAG 2.1, 1.4.11). */
    private static final double LEAST_CONTRAST = 3;

    private static final List<String> CALLERS =
            List.of("--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6", "--series-7");
    private static final List<String> LINES =
            List.of("--chart-sum", "--chart-limit", "--chart-usual", "--chart-admitted", "--chart-rejected");
    private static final int SIDE = 20;

    @RegisterExtension
    static final DashboardStage stage = new DashboardStage();

    @BeforeAll
    static void chart() {
        stage.view("now");
    }

    @ParameterizedTest
    @CsvSource({
        "light, none", "light, protanopia", "light, deuteranopia", "light, tritanopia",
        "dark, none", "dark, protanopia", "dark, deuteranopia", "dark, tritanopia",
    })
    void colours_ofOneChart_differ(String theme, String vision) {
        stage.browser.wear(theme);
        stage.browser.vision(vision);
        List<String> callers = new ArrayList<>(CALLERS);
        callers.add("--series-rest");
        for (List<String> palette : List.of(callers, LINES)) {
            List<Color> painted = painted(palette);
            for (int i = 0; i < painted.size(); i++) {
                for (int j = 0; j < i; j++) {
                    assertThat(distance(painted.get(i), painted.get(j)))
                            .as(palette.get(i) + " and " + palette.get(j) + " " + painted)
                            .isGreaterThan(LEAST_DISTANCE);
                }
            }
        }
        stage.browser.screenshot("colours-" + theme + "-" + vision);
    }

    @ParameterizedTest
    @CsvSource({"light", "dark"})
    void colours_onTheSurface_haveContrast(String theme) {
        stage.browser.wear(theme);
        stage.browser.vision("none");
        Color surface = painted(List.of("--surface")).get(0);
        for (List<String> palette : List.of(CALLERS, LINES)) {
            List<Color> painted = painted(palette);
            for (int i = 0; i < painted.size(); i++) {
                assertThat(contrast(painted.get(i), surface))
                        .as(palette.get(i))
                        .isGreaterThanOrEqualTo(LEAST_CONTRAST - 0.05);
            }
        }
    }

    /** A dark yellow or orange is a brown, which a large area should not have. */
    @ParameterizedTest
    @CsvSource({"light", "dark"})
    void colours_ofCallers_areNeitherGreyNorBrown(String theme) {
        stage.browser.wear(theme);
        stage.browser.vision("none");
        List<Color> painted = painted(CALLERS);
        for (int i = 0; i < painted.size(); i++) {
            double[] lab = oklab(linear(painted.get(i)));
            double hue = Math.toDegrees(Math.atan2(lab[2], lab[1]));
            assertThat(Math.hypot(lab[1], lab[2])).as(CALLERS.get(i)).isGreaterThan(LEAST_CHROMA);
            assertThat(lab[0]).as(CALLERS.get(i)).isGreaterThan(hue > 50 && hue < 118 ? LIGHTEST_BROWN : DARKEST);
        }
    }

    /** Paints a square of each and returns their colours in a picture of the page. */
    private static List<Color> painted(List<String> variables) {
        stage.browser.run(
                "document.getElementById('squares')?.remove(); const box = document.createElement('div'); box.id = 'squares';"
                        + "box.style.cssText = 'position: fixed; top: 0; left: 0; z-index: 9';"
                        + "for (const name of arguments[0]) { const one = document.createElement('div');"
                        + "one.style.cssText = `width: ${arguments[1]}px; height: ${arguments[1]}px; background: var(${name})`; box.append(one); }"
                        + "document.body.append(box)",
                variables,
                SIDE);
        BufferedImage image = stage.browser.image(SIDE, variables.size() * SIDE);
        List<Color> colours = new ArrayList<>();
        for (int i = 0; i < variables.size(); i++) {
            colours.add(new Color(image.getRGB(SIDE / 2, i * SIDE + SIDE / 2)));
        }
        return colours;
    }

    private static double[] linear(Color colour) {
        double[] linear = new double[3];
        int[] channels = {colour.getRed(), colour.getGreen(), colour.getBlue()};
        for (int i = 0; i < 3; i++) {
            double c = channels[i] / 255.0;
            linear[i] = c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
        }
        return linear;
    }

    private static double distance(Color one, Color other) {
        double[] a = oklab(linear(one));
        double[] b = oklab(linear(other));
        return Math.sqrt(Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
    }

    private static double[] oklab(double[] rgb) {
        double l = Math.cbrt(0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]);
        double m = Math.cbrt(0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]);
        double s = Math.cbrt(0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]);
        return new double[] {
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
        };
    }

    private static double contrast(Color one, Color other) {
        double a = luminance(linear(one)) + 0.05;
        double b = luminance(linear(other)) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(double[] rgb) {
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }
}
