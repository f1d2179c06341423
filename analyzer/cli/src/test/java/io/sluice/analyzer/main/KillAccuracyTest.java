package io.sluice.analyzer.main;

import io.sluice.analyzer.main.KillRun.Kill;
import io.sluice.analyzer.main.KillRun.Plan;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Makes the table of docs/accuracy.md. */
@Tag("server")
@Tag("accuracy")
class KillAccuracyTest {
    private static final StringBuilder TABLE = new StringBuilder();
    private static final int CALLERS = 300;

    @TempDir
    Path folder;

    @BeforeAll
    static void begin() {
        TABLE.setLength(0);
        TABLE.append(KillReport.head());
    }

    @AfterAll
    static void print() {
        System.out.print(TABLE);
    }

    private static List<Plan> plans(boolean exactlyOnce) {
        return List.of(
                new Plan(exactlyOnce, 10_000, 200, CALLERS, Collections.nCopies(6, Kill.RESTARTED), 11),
                new Plan(exactlyOnce, 10_000, 200, CALLERS, Collections.nCopies(3, Kill.CATCHING_UP), 12),
                new Plan(exactlyOnce, 10_000, 200, CALLERS, Collections.nCopies(3, Kill.TAKEN_OVER), 13));
    }

    static Stream<Plan> atLeastOnce() {
        return plans(false).stream();
    }

    static Stream<Plan> exactlyOnce() {
        return plans(true).stream();
    }

    @ParameterizedTest
    @MethodSource
    void atLeastOnce(Plan plan) throws Exception {
        KillReport report = KillRun.of(folder, plan);
        TABLE.append(report.row());
        KillTest.assertAtLeastOnce(report);
    }

    @ParameterizedTest
    @MethodSource
    void exactlyOnce(Plan plan) throws Exception {
        KillReport report = KillRun.of(folder, plan);
        TABLE.append(report.row());
        KillTest.assertExactlyOnce(report);
    }

    /** The shortest window for which anything is said: ten commit intervals. */
    @ParameterizedTest
    @MethodSource
    void tenCommitIntervals(Plan plan) throws Exception {
        TABLE.append(KillRun.of(folder, plan).row());
    }

    static Stream<Plan> tenCommitIntervals() {
        return Stream.of(new Plan(false, 10_000, 1_000, CALLERS, Collections.nCopies(6, Kill.RESTARTED), 14));
    }
}
