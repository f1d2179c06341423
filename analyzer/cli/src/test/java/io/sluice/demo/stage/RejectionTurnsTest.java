package io.sluice.demo.stage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectionTurnsTest {
    private final RejectionTurns turns = new RejectionTurns("X-Api-Key");

    @Test
    void aTurnBeginsWithItsFirstRejection() {
        turns.rejected("acme", 1000);
        turns.rejected("acme", 1010);
        turns.rejected("acme", 2990);

        assertThat(turns.firstSince("acme", 0)).hasValue(1000);
        assertThat(turns.firstSince("acme", 1000)).hasValue(1000);
        assertThat(turns.firstSince("acme", 1001)).isEmpty();
    }

    @Test
    void afterTwoSecondsWithoutARejectionANewTurnBegins() {
        turns.rejected("acme", 1000);
        turns.rejected("acme", 2999);
        turns.rejected("acme", 4999);

        assertThat(turns.firstSince("acme", 1001)).hasValue(4999);
    }

    @Test
    void callersHaveTheirOwnTurns() {
        turns.rejected("acme", 1000);

        assertThat(turns.firstSince("amber", 0)).isEmpty();
    }
}
