package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockLogTest {
    private static GateLock lock(String caller, boolean guarded) {
        return new GateLock(
                "noisy",
                List.of(caller),
                Mode.BLOCK,
                0,
                0,
                300_000,
                1_000,
                301_000,
                1,
                guarded,
                guarded,
                new Evidence("above", 131, 100, "requests", 10_000, 131, 0, 990, 1_000, "r"),
                new Version("decide-0", 1, 1));
    }

    private static LockTransition transition(LockTransition.Event event, GateLock lock) {
        return new LockTransition(event, null, 1_000, lock);
    }

    @Test
    void aLockSaysWhoHowLongAndWhy() {
        assertThat(LockLog.line(transition(LockTransition.Event.OPENED, lock("acme", false))))
                .isEqualTo("locked noisy acme: block for 300 s, above 131.0 over 100.0 requests");
    }

    @Test
    void whatTheGuardHoldsBackIsSaidToReportOnly() {
        assertThat(LockLog.line(transition(LockTransition.Event.GUARDED, lock("acme", true))))
                .isEqualTo("guard: noisy acme only reports, block for 300 s, above 131.0 over 100.0 requests");
    }

    @Test
    void aReleaseNeedsNoReason() {
        assertThat(LockLog.line(transition(LockTransition.Event.RELEASED, lock("acme", false))))
                .isEqualTo("released noisy acme");
    }

    @Test
    void line_expiry_namesTheSubject() {
        assertThat(LockLog.line(transition(LockTransition.Event.EXPIRED, lock("acme", false))))
                .isEqualTo("expired noisy acme");
    }

    @Test
    void aHostileNameStaysInItsLineAndSendsNothingToATerminal() {
        String line = LockLog.line(
                transition(LockTransition.Event.RELEASED, lock("a\nlocked root\u001b[2J\u2028\u202e\\u000a", false)));

        assertThat(line).isEqualTo("released noisy a\\u000alocked root\\u001b[2J\\u2028\\u202e\\u005cu000a");
    }
}
