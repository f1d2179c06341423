package io.sluice.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PluralTest {

    @Test
    void of_one_isSingular() {
        assertThat(Plural.of(1, "caller")).isEqualTo("1 caller");
        assertThat(Plural.of(1, "policy", "policies")).isEqualTo("1 policy");
    }

    @Test
    void of_anyOther_isPlural() {
        assertThat(Plural.of(0, "caller")).isEqualTo("0 callers");
        assertThat(Plural.of(1_200, "policy", "policies")).isEqualTo("1,200 policies");
    }
}
