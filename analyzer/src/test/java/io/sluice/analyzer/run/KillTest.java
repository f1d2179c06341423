package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.run.KillRun.Kill;
import io.sluice.analyzer.run.KillRun.Plan;
import io.sluice.analyzer.run.Verdicts.Verdict;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Analyzers killed with SIGKILL in mid-stream, held against the exact method over what stands on the requests topic. */
class KillTest {
    @TempDir
    Path folder;

    private static Plan plan(boolean exactlyOnce) {
        return new Plan(exactlyOnce, 10_000, 200, 300, List.of(Kill.RESTARTED, Kill.RESTARTED, Kill.RESTARTED), 7);
    }

    @Test
    void atLeastOnceAKillLocksNobodyUnderNinetyPercentAndMissesNobody() throws Exception {
        KillReport report = KillRun.of(folder, plan(false));
        print(report);

        assertThat(report.wrongAndFar()).isEmpty();
        assertNobodyMissed(report);
    }

    @Test
    void exactlyOnceAKillDoublesNothingAndLocksNobodyWhoIsNotOver() throws Exception {
        KillReport report = KillRun.of(folder, plan(true));
        print(report);

        assertThat(report.sent()).isEqualTo(report.exact());
        assertThat(report.counted()).isEqualTo(report.exact());
        assertThat(report.verdicts()).allMatch(Verdict::right);
        assertThat(report.verdicts()).allMatch(it -> it.observed() <= it.exact());
        assertNobodyMissed(report);
    }

    private static void assertNobodyMissed(KillReport report) {
        assertThat(report.exact().over(report.sent())).as("lost before usage").isZero();
        assertThat(report.sent().over(report.counted())).as("lost in windows").isZero();
        assertThat(report.verdicts()).filteredOn(Verdict::right).hasSizeGreaterThan(30);
        assertThat(report.due()).isGreaterThan(30);
        assertThat(report.missed()).isEmpty();
    }

    private static void print(KillReport report) {
        System.out.print(KillReport.head() + report.row());
        System.out.println("counted twice at each kill: " + report.doubledAtKills() + "; guarded " + report.guarded());
        System.out.println(report.wrongAndFar() + " " + report.wrongButNear());
    }
}
