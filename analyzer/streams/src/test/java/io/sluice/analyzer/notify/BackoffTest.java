package io.sluice.analyzer.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private final Backoff backoff = new Backoff(1_000, 60_000);

    @ParameterizedTest
    @CsvSource({"1, 1000", "2, 2000", "6, 32000", "7, 60000", "8, 60000", "1000000, 60000"})
    void eachWaitIsTwiceAsLongUpToTheMostAndAtLeastHalfOfIt(int failed, long full) {
        Random random = new Random(failed);
        for (int i = 0; i < 1_000; i++) {
            assertThat(backoff.millis(failed, random)).isBetween(full / 2, full);
        }
    }
}
