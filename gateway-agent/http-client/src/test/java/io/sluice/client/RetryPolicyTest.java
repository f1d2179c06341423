package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RetryPolicyTest {
    private static final long MS = 1_000_000;
    private static final long PLENTY = Duration.ofHours(1).toNanos();

    private final RetryPolicy patience = RetryPolicy.usual();

    @ParameterizedTest
    @CsvSource({"0,1,200", "0,2,400", "0,3,800", "0,7,10000", "0,100,10000", "400,1,200", "10000,1,2500", "10000,5,3200"
    })
    void theMostThatIsAddedIsItsShareOrTheBackoff(long told, int attempt, long most) {
        assertThat(patience.wait(told * MS, attempt, PLENTY, 0)).isEqualTo(told * MS);
        assertThat(patience.wait(told * MS, attempt, PLENTY, 1)).isEqualTo((told + most) * MS);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "100,50", "399,199", "400,200", "401,200"})
    void atMostHalfOfTheRoomIsSpentOnSpreading(long room, long most) {
        assertThat(patience.wait(0, 1, room * MS, 1) / MS).isEqualTo(most);
    }

    @Test
    void neverEarlierThanToldAndAllOverTheSpread() {
        Random random = new Random(11);
        long told = 8000 * MS;
        BitSet tenths = new BitSet();
        for (int i = 0; i < 1000; i++) {
            long wait = patience.wait(told, 1, PLENTY, random.nextDouble());
            assertThat(wait).isBetween(told, told + 2000 * MS);
            tenths.set((int) ((wait - told) / (200 * MS)));
        }
        assertThat(tenths.cardinality()).isEqualTo(10);
    }

    @Test
    void withoutJitterAndBackoffItIsWhatWasTold() {
        RetryPolicy exact = RetryPolicy.builder()
                .jitter(0)
                .backoff(Duration.ZERO, Duration.ZERO)
                .build();
        assertThat(exact.wait(8000 * MS, 5, PLENTY, 1)).isEqualTo(8000 * MS);
    }

    @Test
    void whatIsOutOfRangeIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().attempts(0).build())
                .withMessage("attempts must be from 1 to 100, found 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().within(Duration.ZERO).build())
                .withMessage("within must be from 1 ms to a day, found PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().jitter(Double.NaN).build())
                .withMessage("jitter must be from 0 to 1, found NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().budget(-1, 0.2).build())
                .withMessage("reserve must be 0 or more, found -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().budget(1, 1.1).build())
                .withMessage("ratio must be from 0 to 1, found 1.1");
    }
}
