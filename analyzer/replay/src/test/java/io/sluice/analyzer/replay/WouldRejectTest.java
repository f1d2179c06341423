package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestEvents;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WouldRejectTest {
    private final WouldReject toll = new WouldReject();

    private static GateLock lock(Mode mode, double rate, double ratio) {
        return new GateLock(
                "noisy",
                List.of("acme"),
                mode,
                rate,
                ratio,
                1,
                0,
                100_000,
                1,
                false,
                false,
                null,
                new Version("decide-0", 1, 1));
    }

    private void requests(GateLock lock, int count, long everyMillis) {
        for (int i = 0; i < count; i++) {
            toll.add(lock, TestEvents.admitted("acme", i * everyMillis), true, true);
        }
    }

    @Test
    void aBlockRejectsEachRequestAndAnEntryMayStandForMany() {
        requests(lock(Mode.BLOCK, 0, 0), 10, 1);
        toll.add(lock(Mode.BLOCK, 0, 0), TestEvents.rejected("acme", 10, 90), true, true);

        assertThat(toll.rejected()).isEqualTo(100);
        assertThat(toll.unmatched()).isZero();
        assertThat(toll.within()).isZero();
    }

    @Test
    void whatIsNotCountedAndWhatComesWhileWithinIsToldApart() {
        GateLock block = lock(Mode.BLOCK, 0, 0);

        toll.add(block, TestEvents.admitted("acme", 0), true, true);
        toll.add(block, TestEvents.admitted("acme", 1), false, true);
        toll.add(block, TestEvents.rejected("acme", 2, 5), true, false);

        assertThat(toll.rejected()).isEqualTo(7);
        assertThat(toll.unmatched()).isEqualTo(1);
        assertThat(toll.within()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        // a second's burst at once, then the rate: 100 requests in 10 s, of which 5 + 9.9 × 5 pass
        "5, 100, 100, 46",
        // just as fast as the rate
        "10, 100, 100, 0",
        // at once: the burst passes
        "20, 100, 0, 80",
        // less than one a second still lets one pass
        "0.5, 3, 1000, 1"
    })
    void aThrottleLetsItsRateAndOneSecondsBurstPass(double rate, int count, long everyMillis, long rejected) {
        requests(lock(Mode.THROTTLE, rate, 0), count, everyMillis);

        assertThat(toll.rejected()).isEqualTo(rejected);
    }

    @Test
    void ofWhatShedSeesItsRatioAtThatTimeCounts() {
        requests(lock(Mode.SHED, 0, 0.25), 100, 1);
        requests(lock(Mode.SHED, 0, 0.5), 100, 1);

        assertThat(toll.rejected()).isEqualTo(75);
    }

    @Test
    void aLockOfModeShadowIsCountedAsIfItBlocked() {
        requests(lock(Mode.SHADOW, 0, 0), 7, 1);

        assertThat(toll.rejected()).isEqualTo(7);
    }
}
