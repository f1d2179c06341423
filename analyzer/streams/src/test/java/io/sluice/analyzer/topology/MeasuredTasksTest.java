package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.decide.HeldLocks;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.contract.policy.PolicySet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tasks' counters for measurements. */
class MeasuredTasksTest {
    private static final long START = 1_763_700_000_000L;
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: noisy
                per: [caller]
                window: 10s
                lock: { when: [{ above: 100 }], mode: block, for: 5m }
            """);

    @TempDir
    Path state;

    private static void ask(DrivenAnalyzer analyzer, int times) {
        for (int i = 0; i < times; i++) {
            analyzer.append(null, bytes(TestFleet.event("acme", analyzer.now())));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void givenACallerThatCrowdsThenTheLockIsCountedForItsPolicyAndItsReactionTold() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            List<Long> reactions = new ArrayList<>();
            analyzer.tallies.listen(reactions::add);
            analyzer.passUntil(START + 2_000);

            ask(analyzer, 101);
            analyzer.passUntil(START + 5_000);

            assertThat(analyzer.tallies.total(Count.OPENED, "noisy")).isEqualTo(1);
            assertThat(analyzer.tallies.total(Count.OPENED, "other")).isZero();
            assertThat(analyzer.tallies.held("noisy")).isEqualTo(new HeldLocks(1, 0, 0));
            assertThat(reactions).hasSize(1).allMatch(millis -> millis >= 0 && millis <= 1_000);
        }
    }

    @Test
    void everyPartialThatLeavesAMeterIsCounted() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            ask(analyzer, 50);

            assertThat(analyzer.tallies.total(Count.EVENTS)).isEqualTo(50);
            // without a broker each record is committed by itself: nothing is left to combine
            assertThat(analyzer.tallies.total(Count.PARTIALS)).isEqualTo(50);
        }
    }

    @Test
    void whatCannotBeReadIsCountedByItsReason() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.append(null, null);
            analyzer.append(null, bytes("{"));
            analyzer.append(null, bytes("[]"));
            analyzer.usage(bytes("key"), bytes("no partial"));

            assertThat(dead(analyzer, DeadLetter.Kind.EMPTY)).isEqualTo(1);
            assertThat(dead(analyzer, DeadLetter.Kind.MALFORMED)).isEqualTo(2);
            assertThat(dead(analyzer, DeadLetter.Kind.FORMAT_FAILED)).isZero();
            assertThat(dead(analyzer, DeadLetter.Kind.USAGE)).isEqualTo(1);
            assertThat(analyzer.count(Count.DEAD_LETTERS)).isEqualTo(4);
        }
    }

    @Test
    void heartbeatsTellWhatFoundNoRoomInAnyTaskOfTheProcess() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.tallies.of("meter of another partition").add(Count.NO_ROOM, Account.WATCHES.label());

            analyzer.passUntil(START + 2_000);

            assertThat(analyzer.heartbeats.get(analyzer.heartbeats.size() - 1).refused())
                    .isEqualTo(1);
        }
    }

    private static long dead(DrivenAnalyzer analyzer, DeadLetter.Kind kind) {
        return analyzer.tallies.total(Count.DEAD_LETTERS, kind.label());
    }
}
