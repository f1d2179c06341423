package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions of meters on the loads topic, in place of one on each partition of usage. */
class PositionsTest {
    private static final long START = 1_763_700_000_000L;
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: noisy
                per: [caller]
                window: 10s
                lock: { when: [{ above: 5 }], mode: block, for: 10m }
            """);

    private static final PolicySet SHARE = TestPolicies.yaml("""
            policies:
              - name: noisy
                per: [caller]
                window: 10s
                lock: { when: [{ share: 50%, beyond: 5 }], mode: block, for: 10m }
            """);

    @TempDir
    Path state;

    @Test
    void idle_tasksThatFollowPublishedPositions_writesNothingToUsage() throws Exception {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.passUntil(START + 3_000);
            int usage = analyzer.usage.size();

            analyzer.passUntil(START + 60_000);

            assertThat(analyzer.usage).hasSize(usage);
            assertThat(positions(analyzer)).hasSizeBetween(100, 310);
            assertThat(analyzer.fleet.positions().snapshot().position(0)).isBetween(START + 59_000, START + 60_000);
        }
    }

    @Test
    void start_beforeTheFirstHeartbeat_writesNothingToUsage() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.passUntil(START + 3_000);

            assertThat(analyzer.usage).isEmpty();
        }
    }

    /** Its disk is new, and the clock of its host is behind that of the former one. */
    @Test
    void meterWithoutState_beginsAnEpochAfterThatOfItsPublishedPosition() {
        long epoch = START + 10;
        Load published = MeterPositions.load(List.of(new MeterPosition(START - 1_000, new Origin(0, epoch), 0)));
        try (DrivenAnalyzer analyzer =
                new DrivenAnalyzer(state, POLICIES, START, Map.of(MeterPositions.key(0), published))) {
            analyzer.passUntil(START + 3_000);

            assertThat(analyzer.fleet.positions().snapshot().epoch(0)).isGreaterThan(epoch);
        }
    }

    /** A load as of that time would begin before the epoch. */
    @Test
    void positionJustAfterTheEpoch_isSkipped() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, SHARE, START, false, 2)) {
            position(analyzer, new MeterPosition(1_000, new Origin(1, START), 0));
            analyzer.append(null, TestKafka.utf8(TestFleet.event("noisy", analyzer.now())));

            analyzer.passUntil(START + 2_000);

            assertThat(analyzer.unreadable()).isEqualTo(1);
            assertThat(analyzer.fleet.positions().snapshot().position(1)).isEqualTo(MeterPositions.UNKNOWN);
        }
    }

    /** It would be the newest of its meter until that time. */
    @Test
    void positionOfTheFuture_isSkippedWithoutTheOthersOfItsRecord() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, SHARE, START, false, 2)) {
            analyzer.passUntil(START + 1_000);

            position(
                    analyzer,
                    new MeterPosition(START + 3_600_000, new Origin(0, START), 0),
                    new MeterPosition(START + 900, new Origin(1, START), 0),
                    new MeterPosition(Long.MAX_VALUE, new Origin(1, START), 0));

            assertThat(analyzer.fleet.positions().snapshot().position(0)).isLessThanOrEqualTo(START + 1_000);
            assertThat(analyzer.fleet.positions().snapshot().position(1)).isEqualTo(START + 900);
            assertThat(analyzer.unreadable()).isEqualTo(1);
        }
    }

    /** Its meter could not publish any position until that epoch. */
    @Test
    void epochOfTheFarFuture_isSkipped() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.passUntil(START + 1_000);

            position(analyzer, new MeterPosition(START, new Origin(0, Long.MAX_VALUE), 0));
            analyzer.passUntil(START + 3_000);

            assertThat(analyzer.fleet.positions().snapshot().epoch(0)).isEqualTo(START);
            assertThat(analyzer.fleet.positions().snapshot().position(0)).isGreaterThan(START + 2_000);
        }
    }

    /** All would wait for the meters below it. */
    @Test
    void positionOfAMeterThatIsNotThere_isSkipped() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            position(analyzer, new MeterPosition(START, new Origin(9, START), 0));

            assertThat(analyzer.unreadable()).isEqualTo(1);
            assertThat(analyzer.fleet.positions().snapshot().position(9)).isEqualTo(MeterPositions.UNKNOWN);
        }
    }

    private static void position(DrivenAnalyzer analyzer, MeterPosition... positions) {
        analyzer.load(MeterPositions.key(0).bytes(), LoadCodec.write(MeterPositions.load(List.of(positions))));
    }

    private static List<Long> positions(DrivenAnalyzer analyzer) throws Exception {
        List<Long> positions = new ArrayList<>();
        for (var record : analyzer.loads) {
            if (MeterPositions.is(UsageKey.read(record.key()))) {
                positions.add(LoadCodec.read(record.value()).asOf());
            }
        }
        return positions;
    }

    @Test
    void demandOfACallerThatStopped_isKnownByPublishedPositions() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.passUntil(START + 3_000);
            for (int request = 0; request < 10; request++) {
                analyzer.append(null, TestKafka.utf8(TestFleet.event("noisy", analyzer.now())));
                analyzer.passUntil(analyzer.now() + 100);
            }
            assertThat(analyzer.locks).extracting(GateLock::mode).containsOnly(Mode.BLOCK);
            int usage = analyzer.usage.size();

            analyzer.passUntil(analyzer.now() + 15_000);

            assertThat(analyzer.usage).hasSize(usage);
            assertThat(analyzer.locks).extracting(GateLock::mode).endsWith(Mode.OPEN);
        }
    }

    @Test
    void taskOfAnEarlierVersion_getsPositionsOnItsPartition() {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.passUntil(START + 3_000);
            int usage = analyzer.usage.size();
            // it took the task over, and its heartbeats do not mention positions
            Version version = new Version("decide-0", START + 1_000_000, 1);
            analyzer.gate(new AnalyzerHeartbeat(version, "earlier", START, Map.of()));

            analyzer.passUntil(START + 6_000);

            assertThat(analyzer.usage).hasSizeGreaterThan(usage);
            assertThat(analyzer.fleet.positions().snapshot().position(0)).isBetween(START + 5_000, START + 6_000);
        }
    }
}
