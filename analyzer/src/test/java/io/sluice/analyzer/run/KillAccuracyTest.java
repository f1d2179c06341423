package io.sluice.analyzer.run;

import io.sluice.analyzer.run.KillRun.Kill;
import io.sluice.analyzer.run.KillRun.Plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("accuracy")
class KillAccuracyTest {
    private static final List<KillReport> REPORTS = new ArrayList<>();

    @TempDir
    Path folder;

    static Stream<Plan> plans() {
        return Stream.of(
                new Plan(false, 10_000, 200, 300, Collections.nCopies(3, Kill.CATCHING_UP), 11),
                new Plan(false, 10_000, 200, 300, Collections.nCopies(3, Kill.TAKEN_OVER), 12));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void measured(Plan plan) throws Exception {
        KillReport report = KillRun.of(folder, plan);
        REPORTS.add(report);
        System.out.println(report.row() + report.doubledAtKills() + " guarded " + report.guarded() + " missed " + report.missed()
          + "\n" + report.wrongAndFar());
    }

    @AfterAll
    static void print() {
        System.out.print(KillReport.head());
        REPORTS.forEach(report -> System.out.print(report.row()));
    }
}
