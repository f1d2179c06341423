package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActTest {
    private static final Script SCRIPT = Script.of(40);
    private static final long NEVER = Long.MAX_VALUE;

    @Test
    void of_eachPart_hasASentenceOfItsOwn() {
        assertThat(Act.of(SCRIPT.noise() - 2_500, SCRIPT, NEVER, false)).contains("in peace", "3 s from now");
        assertThat(Act.of(SCRIPT.noise(), SCRIPT, NEVER, false)).contains("delays their answers");
        assertThat(Act.of(SCRIPT.noise() + 900, SCRIPT, NEVER, true)).contains("both gateways reject it");
        assertThat(Act.of(30_000, SCRIPT, 25_000, true)).contains("has backed off");
    }
}
