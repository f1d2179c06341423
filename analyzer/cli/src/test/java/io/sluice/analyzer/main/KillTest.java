package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.main.KillRun.Kill;
import io.sluice.analyzer.main.KillRun.Plan;
import io.sluice.analyzer.main.Verdicts.Verdict;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Analyzers killed with SIGKILL in mid-stream, held against the exact method over what stands on the requests topic. */
@Tag("server")
@Tag("full")
class KillTest {
    private static final int ENOUGH = 30;

    /** A window of 10 s stands commits of 150 ms only, this one of 900 ms: docs/accuracy.md. */
    private static final long STANDS_SLOW_COMMITS = 60_000;

    @TempDir
    Path folder;

    private static Plan plan(boolean exactlyOnce, long windowMillis) {
        return new Plan(exactlyOnce, windowMillis, 200, 300, List.of(Kill.CATCHING_UP), 7);
    }

    @Test
    void atLeastOnceAKillDoublesLittleAndLocksNobodyWhoIsNotOverWithItAndMissesNobody() throws Exception {
        KillReport report = KillRun.of(folder, plan(false, STANDS_SLOW_COMMITS));

        System.out.print(KillReport.head() + report.row());
        assertAtLeastOnce(report);
    }

    @Test
    void exactlyOnceAKillDoublesNothingAndLocksNobodyWhoIsNotOver() throws Exception {
        KillReport report = KillRun.of(folder, plan(true, 10_000));

        assertExactlyOnce(report);
    }

    /**
     * The most that meters may send twice at a kill, as a part of a window. They commit at every 32nd of it, and hold a little more; where commits are slow,
     * they hold twice the time from one to the next, and never half of the window.
     */
    private static double mostSentTwice(KillReport report) {
        double slow = 2.0 * report.commitPause() / report.plan().windowMillis();
        return Math.min(0.5, Math.max(0.1, 0.05 + slow));
    }

    static void assertAtLeastOnce(KillReport report) {
        assertThat(report.unexplained()).isEmpty();
        if (!report.plan().kills().contains(Kill.CATCHING_UP)) {
            // the promise is for one kill in a window
            assertThat(report.wrongAndFar()).isEmpty();
        }
        assertThat(report.commitPause()).as("commits were found").isPositive();
        assertThat(report.sentTwice()).isLessThan(mostSentTwice(report));
        assertNobodyMissed(report);
    }

    static void assertExactlyOnce(KillReport report) {
        assertThat(report.sent()).isEqualTo(report.exact());
        assertThat(report.counted()).isEqualTo(report.exact());
        assertThat(report.verdicts()).allMatch(Verdict::right).allMatch(it -> it.observed() <= it.exact());
        assertNobodyMissed(report);
    }

    private static void assertNobodyMissed(KillReport report) {
        assertThat(report.exact().over(report.sent())).as("lost before usage").isZero();
        assertThat(report.sent().over(report.counted())).as("lost in windows").isZero();
        assertThat(report.verdicts()).filteredOn(Verdict::right).hasSizeGreaterThan(ENOUGH);
        assertThat(report.due()).isGreaterThan(ENOUGH);
        assertThat(report.missed()).isEmpty();
    }
}
