package io.sluice.demo.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacerTest {
    private static final long MILLIS = 1_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theRateIsKeptHoweverUnevenlyItIsAsked(long seed) {
        Random random = new Random(seed);
        double rate = 1 + random.nextInt(600);
        Pacer pacer = new Pacer(0, 0);
        long now = 0;
        long sent = 0;
        while (now < 60_000 * MILLIS) {
            now += random.nextInt(90) * MILLIS;
            sent += pacer.due(rate, now);
        }

        assertThat((double) sent).isCloseTo(rate * now / 1e9, within(2.0));
    }

    @Test
    void aLongPauseIsNotMadeUpFor() {
        Pacer pacer = new Pacer(0, 0);

        assertThat(pacer.due(100, 10_000 * MILLIS)).isEqualTo(11);
    }

    @Test
    void callersThatStartTogetherDoNotStepTogether() {
        Pacer early = new Pacer(0.9, 0);
        Pacer late = new Pacer(0.1, 0);

        assertThat(early.due(1, 100 * MILLIS)).isEqualTo(1);
        assertThat(late.due(1, 100 * MILLIS)).isZero();
    }

    @Test
    void nothingIsDueWithoutTime() {
        assertThat(new Pacer(0.5, 5).due(1000, 5)).isZero();
    }
}
