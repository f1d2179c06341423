package io.sluice.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketLawTest {
    private static final long MILLI = 1_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aTrueBucketIsNeverWrongHoweverItsChecksAreTimed(long seed) {
        Random random = new Random(seed);
        BucketLaw law = new BucketLaw(100, 5);
        double tokens = 5;
        long last = 0;
        long now = 0;
        for (int i = 0; i < 20_000; i++) {
            long before = now + random.nextInt(3_000_000);
            long at = before + random.nextInt(500_000);
            now = at + random.nextInt(500_000);
            tokens = Math.min(5, tokens + (at - last) * 100 / 1e9);
            last = at;
            boolean pass = tokens >= 1;
            tokens -= pass ? 1 : 0;
            law.check(before, now, pass);
        }

        assertThat(law.wrong()).isEmpty();
        assertThat(law.admitted()).isBetween(2_000L, 19_000L);
    }

    @Test
    void oneAdmissionTooManyIsWrong() {
        BucketLaw law = new BucketLaw(10, 2);
        law.check(0, 0, true);
        law.check(0, 0, true);
        law.check(99 * MILLI, 99 * MILLI, true);

        assertThat(law.wrong()).singleElement().asString().contains("check 3 was admitted");
    }

    @Test
    void anAdmissionOnTheDotIsRight() {
        BucketLaw law = new BucketLaw(10, 2);
        law.check(0, 0, true);
        law.check(0, 0, true);
        law.check(100 * MILLI, 100 * MILLI, true);

        assertThat(law.wrong()).isEmpty();
    }

    @Test
    void aRejectionWhileThereAreTokensIsWrong() {
        BucketLaw law = new BucketLaw(10, 2);
        law.check(0, 0, true);
        law.check(0, 0, false);
        law.check(101 * MILLI, 101 * MILLI, true);
        law.check(101 * MILLI, 101 * MILLI, true);
        law.check(150 * MILLI, 150 * MILLI, false);

        assertThat(law.wrong()).singleElement().asString().contains("check 2 was rejected");
    }
}
