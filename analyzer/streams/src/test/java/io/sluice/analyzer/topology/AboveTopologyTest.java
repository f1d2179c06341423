package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.accuracy.Truth;
import io.sluice.analyzer.accuracy.Workload;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventJson;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.PolicySet;
import io.sluice.testing.Seeds;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All workloads, with fewer callers each, through the topology and RocksDB; several at a time, one policy each. */
@Tag("server")
@Tag(Seeds.TAG)
class AboveTopologyTest {
    private static final int TOGETHER = 55;
    private static final int GROUPS = (Workload.SEEDS + TOGETHER - 1) / TOGETHER;
    private static final int CALLERS = 4;
    /** Between an event and the lock that follows from it: read, counted, merged and decided at the next ticks. */
    private static final long REACTION = 3 * 5;

    @TempDir
    Path state;

    static IntStream groups() {
        return IntStream.range(0, Seeds.of(1, GROUPS));
    }

    @ParameterizedTest
    @MethodSource("groups")
    void nobodyIsLockedWhoIsNotOverAndNobodyIsForgottenWhoMustBe(int group) {
        // every so many-th seed, so that no two of a group are of a kind
        List<Workload> workloads = LongStream.iterate(group, seed -> seed < Workload.SEEDS, seed -> seed + GROUPS)
                .limit(Seeds.of(3, TOGETHER))
                .mapToObj(seed -> Workload.of(seed, CALLERS))
                .toList();
        Map<String, Truth> truths = new HashMap<>();
        workloads.forEach(workload -> truths.put(workload.policy().name(), Truth.of(workload)));
        Map<String, Long> locked = new HashMap<>();

        for (GateLock lock : drive(workloads)) {
            if (lock.mode() != Mode.OPEN) {
                String caller = lock.subject().get(0);
                long crossed = lock.evidence().crossed();
                locked.putIfAbsent(caller, lock.evidence().decided());
                assertThat(truths.get(lock.policy()).over(caller, crossed))
                        .as("%s was over at %d", caller, crossed)
                        .isTrue();
            }
        }

        truths.values()
                .forEach(truth -> truth.due()
                        .forEach((caller, due) -> assertThat(locked.getOrDefault(caller, Long.MAX_VALUE))
                                .as("%s must be locked by %d", caller, due)
                                .isLessThanOrEqualTo(due + REACTION)));
        assertThat(locked).isNotEmpty();
    }

    private List<GateLock> drive(List<Workload> workloads) {
        List<RequestEvent> events = workloads.stream()
                .flatMap(workload -> workload.events().stream())
                .sorted(Comparator.comparingLong(RequestEvent::time))
                .toList();
        PolicySet one = workloads.get(0).policies();
        PolicySet all = new PolicySet(
                one.enforce(),
                one.allow(),
                one.guard(),
                workloads.stream().map(Workload::policy).toList(),
                one.revision());
        try (DrivenAnalyzer analyzer =
                new DrivenAnalyzer(state, all, events.get(0).time() - 1000)) {
            for (RequestEvent event : events) {
                analyzer.passUntil(event.time());
                analyzer.append(null, RequestEventJson.write(event));
            }
            analyzer.pass(3);
            return List.copyOf(analyzer.locks);
        }
    }
}
