package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.ActiveTotals;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads that no decide task has written. */
class ForgedLoadsTest {
    private static final long START = 1_763_700_000_000L;
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: noisy
                per: [caller]
                window: 10s
                lock: { when: [{ share: 50%, beyond: 5 }], mode: block, for: 10m }
            """);
    private static final Policy POLICY = POLICIES.policies().get(0);
    /** The group of all callers. */
    private static final UsageKey ALL = new UsageKey(POLICY.revision(), List.of());

    @TempDir
    Path state;

    private static void load(DrivenAnalyzer analyzer, UsageKey key, long since, long asOf) {
        long[] panes = new long[61];
        analyzer.load(key.bytes(), LoadCodec.write(new Load(0, panes, panes, panes, since, asOf)));
    }

    /** Windows that end there begin before the epoch, or after the last time; the load would stay the newest. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, START + 120_000, Long.MAX_VALUE - 20_000, Long.MAX_VALUE})
    void loadOfAnImpossibleTime_isSkipped_andTheNextOneTaken(long asOf) {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.lag(200);
            for (int request = 0; request < 10; request++) {
                analyzer.append(null, TestKafka.utf8(TestFleet.event("noisy", analyzer.now())));
            }
            analyzer.pass(5);

            load(analyzer, ALL, 0, asOf);
            analyzer.passUntil(START + 3_000);

            assertThat(analyzer.unreadable()).isEqualTo(1);
            Load newest = analyzer.fleet.loads().load(ALL);
            assertThat(newest).isNotNull();
            assertThat(newest.asOf()).isBetween(START, START + 3_000);
        }
    }

    /** The guard would take the number for the least until then. */
    @Test
    void numberOfActiveSubjectsOfTheFuture_isSkipped() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            load(analyzer, ActiveTotals.key(POLICY.revision()), START + 3_600_000, START);

            assertThat(analyzer.unreadable()).isEqualTo(1);
            assertThat(analyzer.fleet.loads().load(ActiveTotals.key(POLICY.revision())))
                    .isNull();
        }
    }

    /** Meters would hold nothing of its subject back until then. */
    @Test
    void watchThatLastsLongerThanAnyWindow_isSkipped() {
        UsageKey watch = new UsageKey("$watch", List.of(POLICY.revision(), "acme"));
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            load(analyzer, watch, 0, START + 24 * 3_600_000L);
            assertThat(analyzer.fleet.loads().load(watch)).isNotNull();

            load(analyzer, watch, 0, START + 30 * 24 * 3_600_000L);

            assertThat(analyzer.unreadable()).isEqualTo(1);
        }
    }
}
