package io.sluice.analyzer.run;

import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An analyzer beside decide tasks that read the positions of meters from their own partitions: of an earlier version, or exactly-once. */
@Tag("server")
@Tag("full")
class EarlierTasksTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** An idle thread commits each 30 s, far too rarely for so many. */
    private static final int POSITIONS = 20;

    @TempDir
    Path directory;

    @Test
    void idleMeters_keepWritingTheirPositionsToThem() throws Exception {
        try (TestFleet fleet = new TestFleet(directory, 1)) {
            fleet.start("one", TestPolicies.above(1_000));
            fleet.awaitReady();
            int before = TestKafka.read(fleet.topics.usage()).size();

            // it took the task over, and its heartbeats do not mention positions
            Version version = new Version("decide-0", Long.MAX_VALUE / 2, 1);
            AnalyzerHeartbeat earlier = new AnalyzerHeartbeat(version, "earlier", System.currentTimeMillis(), Map.of());
            TestKafka.send(
                    fleet.topics.gateLocks(),
                    TestKafka.text(CompositeKey.bytes(GateKeys.of(earlier))),
                    GateLockJson.write(earlier));

            await().atMost(PATIENCE)
                    .until(() -> TestKafka.read(fleet.topics.usage()).size() >= before + POSITIONS);
        }
    }
}
