package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTest {
    @Test
    void aLongNameIsCutBetweenCharacters() {
        assertThat(Shown.name("x".repeat(61))).isEqualTo("x".repeat(60) + "…");
        assertThat(Shown.name("\ud83d\ude00".repeat(61))).isEqualTo("\ud83d\ude00".repeat(60) + "…");
        assertThat(Shown.name("x".repeat(60))).isEqualTo("x".repeat(60));
    }

    @Test
    void name_separatorsAndControls_areReplaced() {
        assertThat(Shown.name("a\u2028b\u2029c\u001b[31m\u202e\ud800")).isEqualTo("a?b?c?[31m??");
    }
}
