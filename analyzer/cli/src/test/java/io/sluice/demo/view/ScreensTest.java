package io.sluice.demo.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScreensTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void withoutATerminalTheStoryIsToldInPlainLines() {
        PlainScreen screen = new PlainScreen(out);
        screen.show(Scenes.quiet());
        screen.show(Scenes.locked());
        screen.show(Scenes.locked());
        screen.show(Scenes.released());

        assertThat(shown())
                .containsOnlyOnce("acme is locked by noisy-neighbour")
                .containsOnlyOnce("gateway-1 rejects it, 210 ms")
                .containsOnlyOnce("gateway-2 rejects it, 220 ms")
                .containsOnlyOnce("the gate is open again")
                .doesNotContain("\u001b");
    }

    @Test
    void betweenTheEventsItSpeaksEveryTwoSeconds() {
        PlainScreen screen = new PlainScreen(out);
        screen.show(Scenes.quiet());
        screen.show(Scenes.quiet());

        assertThat(shown().lines()).hasSize(1);
    }

    @Test
    void aPictureIsDrawnOverTheOneBefore() {
        LiveScreen screen = new LiveScreen(out, new Ink(false, false), new TerminalSize(Map.of()));
        screen.show(Scenes.quiet());
        long height = shown().lines().count() - 1;
        screen.show(Scenes.quiet());

        assertThat(shown()).contains("\u001b[" + height + "A");
    }

    @Test
    void theCursorComesBack() {
        LiveScreen screen = new LiveScreen(out, new Ink(false, false), new TerminalSize(Map.of()));
        screen.show(Scenes.quiet());
        screen.close();

        assertThat(shown().lastIndexOf("\u001b[?25h")).isGreaterThan(shown().lastIndexOf("\u001b[?25l"));
    }
}
