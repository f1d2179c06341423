package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebtDetectorTest {
    private static final String SIXTY_A_MINUTE =
            "'per':['caller'],'window':'1m','lock':{'for':'debt','when':[{'above':60}]}";

    @ParameterizedTest
    @CsvSource({"59, 0", "60, 0", "61, 1"})
    void aBurstIsWhatOneMayOwe(int requests, int locks) {
        Played played = new Played(SIXTY_A_MINUTE);
        for (int i = 0; i < requests; i++) {
            played.at("acme", 500, "/orders", 200, 0);
        }

        assertThat(played.locks()).hasSize(locks);
    }

    @Test
    void whoStaysWithinTheRateNeverOwes() {
        assertThat(new Played(SIXTY_A_MINUTE).calls("acme", 3600, 0, 3600, 0).locks())
                .isEmpty();
    }

    @Test
    void whoIsALittleFasterIsCaughtInTheEnd() {
        // 66 a minute: no window holds more than 67, and every minute six are left unpaid
        assertThat(new Played(SIXTY_A_MINUTE).calls("acme", 66 * 8, 0, 480, 0).locks())
                .isEmpty();
        assertThat(new Played(SIXTY_A_MINUTE).calls("acme", 66 * 12, 0, 720, 0).locks())
                .first()
                .satisfies(lock -> {
                    assertThat(lock.evidence().detector()).isEqualTo("debt");
                    assertThat(lock.evidence().observed()).isBetween(60.0, 61.0);
                    assertThat(lock.at()).isBetween(Played.START + 580_000, Played.START + 660_000);
                });
    }
}
