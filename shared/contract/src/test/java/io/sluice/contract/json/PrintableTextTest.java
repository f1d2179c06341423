package io.sluice.contract.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {
    /** CSI as one character, DEL, a right-to-left override, a line separator, a zero-width space, a tag character, a lone surrogate. */
    private static final String HOSTILE = "\u009b\u007f\u202e\u2028\u200b\udb40\udc41\ud800";

    @Test
    void text_hasQuestionMarks() {
        assertThat(PrintableText.of("é" + HOSTILE + "\u001b[2J\n")).isEqualTo("é????????[2J?");
    }

    @Test
    void lines_stayLines() {
        assertThat(PrintableText.lines("a\u001b\nb\u009b")).isEqualTo("a?" + System.lineSeparator() + "b?");
    }

    @Test
    void json_hasEscapes_andMeansTheSame() throws Exception {
        String escaped = PrintableText.json("{\n  \"é\": \"" + HOSTILE + "\"\n}");

        assertThat(escaped).isEqualTo("{\n  \"é\": \"\\u009b\\u007f\\u202e\\u2028\\u200b\\udb40\\udc41\\ud800\"\n}");
        assertThat(PrintableText.json("{\"a\":\"b é \\u001b\"}")).isEqualTo("{\"a\":\"b é \\u001b\"}");
    }
}
