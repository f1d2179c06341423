package io.sluice.analyzer.exact;

import static io.sluice.analyzer.exact.Asked.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle.Reading;
import org.junit.jupiter.api.Test;

class ExactAllTest {
    private static final long T = 1_763_700_000_000L;
    private static final long NOW = T + 20_000;

    private static Asked both() {
        return Asked.when("", "'all':[{'above':5},{'share':'50%','of':[]}]").add(at(T, "first"));
    }

    @Test
    void onePartIsNotEnough() {
        Asked asked = both().add(5, at(NOW, "bob")).add(6, at(NOW, "acme"));
        assertThat(asked.over("acme")).isTrue();

        asked.add(at(NOW, "bob"));

        assertThat(asked.of("acme")).isEqualTo(new Reading("share", 0.5, 0.5, 6, 12, false));
    }

    @Test
    void neitherIsTheOther() {
        Asked asked = both().add(at(NOW, "bob")).add(5, at(NOW, "acme"));

        assertThat(asked.of("acme")).isEqualTo(new Reading("above", 5, 5, 5, 0, false));
    }

    @Test
    void thePartThatBindsSpeaks() {
        Asked asked = both().add(at(NOW, "bob")).add(6, at(NOW, "acme"));

        // 6 of 5 is less than 86 % of 50 %
        assertThat(asked.of("acme")).isEqualTo(new Reading("above", 6, 5, 6, 0, true));
    }
}
