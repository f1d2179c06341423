package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockJournalTest {
    private final LockJournal journal = new LockJournal();

    private void lock(boolean guarded, long until) {
        Evidence evidence = new Evidence("above", 11, 10, "requests", 60_000, 11, 0, 1_000, 1_000, "r");
        journal.lock(new GateLock(
                "p",
                List.of("acme"),
                Mode.BLOCK,
                0,
                0,
                60_000,
                1_000,
                until,
                1,
                guarded,
                guarded,
                evidence,
                new Version("decide-0", 1, 1)));
    }

    @Test
    void lock_guardLetsItReject_isNoReportAnyMore() {
        lock(true, 61_000);
        assertThat(journal.lock(0).guarded()).isTrue();

        lock(false, 62_000);

        assertThat(journal.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.guarded()).isFalse();
            assertThat(lock.shadow()).isFalse();
            assertThat(lock.until()).isEqualTo(62_000);
        });
    }
}
