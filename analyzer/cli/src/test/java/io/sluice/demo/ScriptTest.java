package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTest {

    @ParameterizedTest
    @ValueSource(ints = {15, 16, 20, 40, 3600, 100_000})
    void noiseComesAfterQuietAndEndsBeforeTheEnd(int seconds) {
        Script script = Script.of(seconds);

        assertThat(script.noise()).isPositive().isLessThan(script.quietAgain());
        assertThat(script.quietAgain()).isLessThan(script.end());
        assertThat(script.end()).isEqualTo(seconds * 1000L);
    }

    @Test
    void tooShortARunIsRefusedWithWhatIsAllowed() {
        assertThatThrownBy(() -> Script.of(14)).hasMessageContaining("14").hasMessageContaining("15 or more");
    }
}
