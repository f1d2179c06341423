package io.sluice.analyzer.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
    @Test
    void thereIsColourOnATerminalOnlyAndNotForWhoWantsNone() {
        assertThat(Terminal.of(true, Map.of()).paint(Terminal.Ink.BAD, "x")).isEqualTo("\u001b[31mx\u001b[0m");
        assertThat(Terminal.of(true, Map.of("NO_COLOR", "")).colour()).isTrue();
        assertThat(Terminal.of(true, Map.of("NO_COLOR", "1")).paint(Terminal.Ink.BAD, "x"))
                .isEqualTo("x");
        assertThat(Terminal.of(false, Map.of()).paint(Terminal.Ink.BAD, "x")).isEqualTo("x");
    }
}
