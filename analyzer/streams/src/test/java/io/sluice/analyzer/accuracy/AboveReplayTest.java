package io.sluice.analyzer.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All workloads through the analyzer's rules, event by event. */
@Tag("server")
@Tag(Seeds.TAG)
class AboveReplayTest {

    static LongStream seeds() {
        return LongStream.range(0, Seeds.of(3, Workload.SEEDS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyIsLockedWhoIsNotOverAndNobodyIsForgottenWhoMustBe(long seed) {
        Workload workload = Workload.of(seed, Workload.CALLERS);
        Truth truth = Truth.of(workload);
        Map<String, Long> locked = new HashMap<>();

        try (ReplayEngine engine = new ReplayEngine(workload.policies())) {
            workload.events().forEach(engine::add);
            for (ReplayLock lock : engine.locks()) {
                String caller = lock.subject().get(0);
                locked.putIfAbsent(caller, lock.at());
                assertThat(truth.over(caller, lock.at()))
                        .as("%s was over at %d", caller, lock.at())
                        .isTrue();
                assertThat(Math.round(lock.evidence().sum()
                                * workload.policy().measure().scale()))
                        .as("the sum that %s was locked for", caller)
                        .isGreaterThan(workload.limit())
                        .isLessThanOrEqualTo(workload.peaks().get(caller));
            }
        }

        assertThat(truth.due()).isNotEmpty();
        truth.due()
                .forEach((caller, due) -> assertThat(locked.getOrDefault(caller, Long.MAX_VALUE))
                        .as("%s must be locked by %d", caller, due)
                        .isLessThanOrEqualTo(due));
    }
}
