package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestEvents;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.settings.PolicyFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialTest {
    private static final long T = 1_000_000_000_000L;
    // panes of 200 ms
    private static final String ABOVE_THREE =
            "policies: [{ name: noisy, per: [caller], window: 10s, lock: { when: [{ above: 3 }], for: 1m } }]";

    private static Tried tried(String policies, boolean exact, List<RequestEvent> events) throws Exception {
        var set = PolicyFile.read(policies.getBytes(StandardCharsets.UTF_8), "policies");
        try (Trial trial = new Trial(set, true, exact)) {
            events.forEach(trial::add);
            return trial.result();
        }
    }

    private static List<RequestEvent> acme(long... millis) {
        List<RequestEvent> events = new ArrayList<>();
        LongStream.of(millis).forEach(at -> events.add(TestEvents.admitted("acme", T + at)));
        return events;
    }

    private static TriedLock only(Tried tried) {
        assertThat(tried.locks()).hasSize(1);
        return tried.locks().get(0);
    }

    @Test
    void whatComesAfterTheRequestThatCrossedIsRejected() throws Exception {
        TriedLock lock = only(tried(ABOVE_THREE, false, acme(0, 1000, 2000, 3000, 3000, 4000, 5000)));

        assertThat(lock.lock().at()).isEqualTo(T + 3000);
        assertThat(lock.toll().rejected()).isEqualTo(3);
        assertThat(lock.toll().unmatched()).isZero();
    }

    @Test
    void whatComesAfterTheEndIsNot() throws Exception {
        TriedLock lock = only(tried(ABOVE_THREE, false, acme(0, 1000, 2000, 3000, 4000, 40_000)));

        assertThat(lock.lock().released()).isTrue();
        assertThat(lock.lock().until()).isLessThan(T + 40_000);
        assertThat(lock.toll().rejected()).isEqualTo(1);
    }

    @Test
    void othersAreNotChargedAndAllowedRequestsPass() throws Exception {
        List<RequestEvent> events = acme(0, 1000, 2000, 3000);
        events.add(TestEvents.admitted("zen", T + 3500));
        events.add(TestEvents.admitted("acme", "health", T + 3600));
        events.add(TestEvents.admitted("acme", "orders", T + 3700));

        TriedLock lock = only(tried("allow: [{ service: health }]\n" + ABOVE_THREE, false, events));

        assertThat(lock.toll().rejected()).isEqualTo(1);
    }

    @Test
    void whatALockClosesWithoutCountingItIsToldApart() throws Exception {
        String stuffing = "policies: [{ name: stuffing, match: { status: 401 }, per: [caller], window: 10s,"
                + " lock: { when: [{ above: 1 }] } }]";

        TriedLock lock = only(tried(
                stuffing,
                false,
                List.of(
                        TestEvents.withStatus("acme", T, 401, Outcome.ALLOWED),
                        TestEvents.withStatus("acme", T + 1, 200, Outcome.ALLOWED),
                        TestEvents.withStatus("acme", T + 2, 401, Outcome.ALLOWED),
                        TestEvents.withStatus("acme", T + 3, 401, Outcome.ALLOWED),
                        TestEvents.withStatus("acme", T + 4, 200, Outcome.ALLOWED))));

        assertThat(lock.toll().rejected()).isEqualTo(2);
        assertThat(lock.toll().unmatched()).isEqualTo(1);
    }

    @Test
    void onlyWhatALockClosesIsRejected() throws Exception {
        String orders = "policies: [{ name: p, per: [caller], window: 10s,"
                + " lock: { when: [{ above: 1 }], closes: { service: orders } } }]";

        TriedLock lock = only(tried(
                orders,
                false,
                List.of(
                        TestEvents.admitted("acme", "carts", T),
                        TestEvents.admitted("acme", "carts", T + 1),
                        TestEvents.admitted("acme", "carts", T + 2),
                        TestEvents.admitted("acme", "orders", T + 3))));

        assertThat(lock.toll().rejected()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        // a pause of more than a window, and of just one: the others are another run
        "-10001, 3000",
        "-10000, 3000",
        // no pause, and what is not in the window of the lock any more
        "-9999, 9999"
    })
    void timeToDetectBeginsAfterTheLastPauseAtMostAWindowBefore(long first, long millis) throws Exception {
        TriedLock lock = only(tried(ABOVE_THREE, false, acme(first, 0, 1000, 2000, 3000)));

        assertThat(lock.lock().at()).isEqualTo(T + 3000);
        assertThat(lock.detectMillis()).isEqualTo(OptionalLong.of(millis));
    }

    @Test
    void theExactMethodSaysSinceWhenAndWhatWasRejectedWithoutNeed() throws Exception {
        TriedLock lock = only(tried(ABOVE_THREE, true, acme(0, 1000, 2000, 3000, 4000, 5000, 13_500)));
        Verdict verdict = lock.verdict();

        assertThat(verdict).isNotNull();
        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.over()).isNotNull();
        assertThat(verdict.over().from()).isEqualTo(T + 3000);
        assertThat(verdict.over().lastSeen()).isEqualTo(T + 5000);
        assertThat(verdict.reading()).isNotNull();
        assertThat(verdict.reading().sum()).isEqualTo(4);
        assertThat(lock.detectMillis()).isEqualTo(OptionalLong.of(0));
        // at 13.5 s only those of 4, 5 and 13.5 s are left
        assertThat(lock.toll().rejected()).isEqualTo(3);
        assertThat(lock.toll().within()).isEqualTo(1);
    }

    @Test
    void aCrossingThatTheOldestPaneHidesIsDetectedLater() throws Exception {
        // exactly 4 at 10,050; by panes the first one is out of sight already, and the next one makes 4
        TriedLock lock = only(tried(ABOVE_THREE, true, acme(100, 3000, 4000, 10_050, 10_090)));

        assertThat(lock.lock().at()).isEqualTo(T + 10_090);
        assertThat(lock.detectMillis()).isEqualTo(OptionalLong.of(40));
    }

    @Test
    void whoWasOverForLessThanAPaneAndNeverLockedIsListed() throws Exception {
        Tried tried = tried(ABOVE_THREE, true, acme(100, 3000, 4000, 10_050));

        assertThat(tried.locks()).isEmpty();
        assertThat(tried.missed()).singleElement().satisfies(missed -> {
            assertThat(missed.longest().subject()).containsExactly("acme");
            assertThat(missed.longest().from()).isEqualTo(T + 10_050);
            assertThat(missed.longest().lastSeen()).isEqualTo(T + 10_050);
            assertThat(missed.spans()).isEqualTo(1);
        });
    }
}
