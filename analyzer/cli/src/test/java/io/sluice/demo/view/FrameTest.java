package io.sluice.demo.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {
    private static final Ink PLAIN = new Ink(false, false);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noLineIsWiderAndNoPictureHigherThanTheTerminal(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            int width = 19 + random.nextInt(120);
            int height = 14 + random.nextInt(40);

            List<String> lines = Frame.of(Scenes.random(random), width, height, new Ink(false, random.nextBoolean()));

            assertThat(lines).allMatch(line -> line.length() <= width);
            assertThat(lines.size()).isLessThan(height);
        }
    }

    @Test
    void whoIsLockedStandsFirstWithWhatIsRejected() {
        List<String> lines = Frame.of(Scenes.locked(), 60, 24, PLAIN);

        assertThat(lines.get(4)).startsWith("acme").contains("498").endsWith("locked");
        assertThat(String.join("\n", lines))
                .contains("acme: block, 14 s left")
                .contains("62 % of 806 requests in 5 s, allowed are 40 %")
                .contains("reaction: gateway-1 210 ms, gateway-2 220 ms");
    }

    @Test
    void anEndedLockIsToldAsEnded() {
        assertThat(Frame.of(Scenes.released(), 60, 24, PLAIN)).contains("acme: free again after 6.0 s");
    }

    @Test
    void withoutLocksItSaysSo() {
        assertThat(Frame.of(Scenes.quiet(), 60, 24, PLAIN)).contains("no locks");
    }

    @Test
    void coloursAreOnlyAddedWhereTheyAreWanted() {
        assertThat(String.join("", Frame.of(Scenes.locked(), 60, 24, PLAIN))).doesNotContain("\u001b");
        assertThat(String.join("", Frame.of(Scenes.locked(), 60, 24, new Ink(true, false))))
                .contains("\u001b[31m");
    }

    @Test
    void barsAreOfBlocksOnlyWhereTheyCanBeShown() {
        assertThat(PLAIN.bar(0.5, 10)).isEqualTo("#####");
        assertThat(new Ink(false, true).bar(0.55, 10)).isEqualTo("\u2588\u2588\u2588\u2588\u2588\u258c");
        assertThat(PLAIN.bar(2, 3)).isEqualTo("###");
        assertThat(PLAIN.bar(-1, 3)).isEmpty();
    }

    @Test
    void theEnvironmentSaysWhatTheTerminalCan() {
        assertThat(Ink.of(Map.of("LANG", "C.UTF-8"))).isEqualTo(new Ink(true, true));
        assertThat(Ink.of(Map.of("NO_COLOR", "1", "LANG", "de_DE.utf8"))).isEqualTo(new Ink(false, true));
        assertThat(Ink.of(Map.of("LC_ALL", "C", "LANG", "C.UTF-8"))).isEqualTo(new Ink(true, false));
        assertThat(Ink.of(Map.of("NO_COLOR", ""))).isEqualTo(new Ink(true, false));
    }
}
