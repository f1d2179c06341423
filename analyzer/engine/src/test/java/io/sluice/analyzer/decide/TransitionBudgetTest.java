package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TransitionBudgetTest {
    private static final long T = 1_763_700_000_000L;
    private static final long HOUR = 3_600_000;

    private final TransitionBudget budget = new TransitionBudget();

    private LockTransition admitted(String caller, long at) {
        return admitted(caller, at, LockTransition.Event.OPENED);
    }

    private LockTransition admitted(String caller, long at, LockTransition.Event event) {
        GateLock lock = new GateLock(
                "p", List.of(caller), Mode.BLOCK, 0, 0, 1, at, at, 1, false, false, null, new Version("d", 1, 1));
        return budget.admitted(new LockTransition(event, null, at, lock));
    }

    /** The life cycle can't do worse than two transitions each quarter of a second. */
    @Test
    void admitted_lockThatFlapsForADay_writesABurstAndThenOneAMinute() {
        long written = LongStream.range(0, 24 * HOUR / 125)
                .mapToObj(n -> admitted("acme", T + n * 125))
                .filter(Objects::nonNull)
                .count();

        assertThat(written).isBetween(24 * 60L, 24 * 60L + TransitionBudget.BURST);
    }

    @Test
    void admitted_afterSomeWereLeftOut_saysHowMany() {
        for (int i = 0; i < TransitionBudget.BURST; i++) {
            assertThat(admitted("acme", T).suppressed()).isZero();
        }
        assertThat(admitted("acme", T)).isNull();
        assertThat(admitted("acme", T)).isNull();

        assertThat(admitted("acme", T + TransitionBudget.MILLIS_EACH).suppressed())
                .isEqualTo(2);
        assertThat(admitted("acme", T + HOUR).suppressed()).isZero();
    }

    @Test
    void admitted_endOfARecordedLock_isRecordedBeyondTheBudgetOnce() {
        for (int i = 0; i < TransitionBudget.BURST; i++) {
            admitted("acme", T);
        }

        assertThat(admitted("acme", T, LockTransition.Event.EXPIRED)).isNotNull();
        assertThat(admitted("acme", T, LockTransition.Event.EXPIRED)).isNull();
        assertThat(admitted("acme", T)).isNull();
        assertThat(admitted("acme", T, LockTransition.Event.EXPIRED)).isNull();
    }

    @Test
    void admitted_otherSubjects_haveTheirOwn() {
        for (int i = 0; i < TransitionBudget.BURST; i++) {
            admitted("acme", T);
        }

        assertThat(admitted("acme", T)).isNull();
        assertThat(admitted("zen", T)).isNotNull();
    }
}
