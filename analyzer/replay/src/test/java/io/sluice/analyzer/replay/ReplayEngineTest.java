package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.settings.PolicyFile;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplayEngineTest {
    private static final long START = 1_772_445_600_000L;

    private static ReplayEngine engine(String when) throws Exception {
        return new ReplayEngine(PolicyFile.read(Replays.policy(when).getBytes(StandardCharsets.UTF_8), "policies"));
    }

    private static RequestEvent event(long time, String caller) {
        return new RequestEvent(
                time,
                caller,
                null,
                null,
                null,
                null,
                200,
                0,
                0,
                null,
                Outcome.ALLOWED,
                1,
                Identity.AUTHENTICATED,
                Map.of());
    }

    @Test
    void theEventThatCrossesTheThresholdOpensTheLock() throws Exception {
        try (ReplayEngine engine = engine("above: 3")) {
            for (int i = 0; i < 3; i++) {
                engine.add(event(START + i, "acme"));
            }
            assertThat(engine.locks()).isEmpty();

            engine.add(event(START + 3, "acme"));

            assertThat(engine.locks()).singleElement().satisfies(lock -> {
                assertThat(lock.at()).isEqualTo(START + 3);
                assertThat(lock.until()).isEqualTo(START + 3 + 300_000);
                assertThat(lock.mode()).isEqualTo("block");
                assertThat(lock.released()).isFalse();
            });
        }
    }

    @Test
    void oneLockIsOneEntryHoweverOftenItIsRenewed() throws Exception {
        try (ReplayEngine engine = engine("above: 3")) {
            for (int i = 0; i < 1200; i++) {
                engine.add(event(START + 1000L * i, "acme"));
            }

            assertThat(engine.locks()).singleElement().satisfies(lock -> {
                assertThat(lock.until()).isGreaterThan(START + 1_200_000);
                assertThat(lock.released()).isFalse();
            });
        }
    }

    @Test
    void aCallerThatFallsSilentIsReleasedAndLockedAgainWhenItComesBack() throws Exception {
        try (ReplayEngine engine = engine("above: 3")) {
            for (int i = 0; i < 4; i++) {
                engine.add(event(START + i, "acme"));
            }
            for (int i = 0; i < 4; i++) {
                engine.add(event(START + 3_600_000 + i, "acme"));
            }

            assertThat(engine.locks()).hasSize(2);
            assertThat(engine.locks().get(0).released()).isTrue();
            // the window is empty a minute after the last event, and the next look is at most 250 ms later
            assertThat(engine.locks().get(0).until()).isBetween(START + 59_000, START + 61_500);
            assertThat(engine.locks().get(1).at()).isEqualTo(START + 3_600_003);
        }
    }

    @Test
    void timeNeverGoesBack() throws Exception {
        try (ReplayEngine engine = engine("above: 3")) {
            engine.add(event(START, "acme"));

            assertThatThrownBy(() -> engine.add(event(START - 1, "acme"))).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
