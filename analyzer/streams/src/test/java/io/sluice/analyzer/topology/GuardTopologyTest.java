package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.PolicySet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other decide tasks enforce, as their heartbeats report it, takes room of the guard of this one. */
class GuardTopologyTest {
    private static final long START = 1_763_700_000_000L;
    private static final PolicySet POLICIES = TestPolicies.above(60);
    private static final String POLICY = POLICIES.policies().get(0).name();

    @TempDir
    Path state;

    /** Returns the lock of a caller over its threshold, while another task enforces so many of 40 active callers. */
    private GateLock locked(int enforcedElsewhere) {
        return locked(enforcedElsewhere, 1, 0);
    }

    /**
     * @param partition the one that the heartbeat of the task 1 lies in
     * @param unreadable how many records the analyzer counts as unreadable then
     */
    private GateLock locked(int enforcedElsewhere, int partition, long unreadable) {
        try (DrivenAnalyzer analyzer = new DrivenAnalyzer(state, POLICIES, START)) {
            analyzer.gate(
                    partition,
                    new AnalyzerHeartbeat(
                            new Version("decide-1", 1, 0),
                            "other",
                            START,
                            Map.of(),
                            Map.of(POLICY, 40),
                            Map.of(POLICY, enforcedElsewhere)));
            assertThat(analyzer.unreadable()).isEqualTo(unreadable);
            analyzer.passUntil(START + 2_000);
            for (int i = 0; i < 61; i++) {
                analyzer.append(
                        null,
                        "{\"time\":%d,\"caller\":\"acme\"}"
                                .formatted(analyzer.now())
                                .getBytes(StandardCharsets.UTF_8));
            }
            analyzer.passUntil(START + 4_000);
            return analyzer.locks.get(0);
        }
    }

    @Test
    void lock_otherTasksEnforceFew_isEnforced() {
        assertThat(locked(3).guarded()).isFalse();
    }

    @Test
    void lock_heartbeatOfAnotherTaskOnAWrongPartition_isIgnored() {
        assertThat(locked(4, 2, 1).guarded()).isEqualTo(locked(0, 2, 1).guarded());
    }

    @Test
    void lock_otherTasksEnforceAllThatTheGuardAllows_isReportedOnly() {
        assertThat(locked(4).guarded()).isTrue();
    }
}
