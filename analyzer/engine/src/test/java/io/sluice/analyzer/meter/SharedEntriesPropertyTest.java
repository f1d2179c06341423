package io.sluice.analyzer.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.testing.Seeds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Policies of the same subjects share what a meter holds back, and each gets it on its own. For every policy and caller, what has left is never
 * more than what was counted, and what has not is less than the policy's mark in every window.
 */
class SharedEntriesPropertyTest {
    private static final long START = 1_763_700_000_000L;
    private static final int METERS = 4;
    private static final int PANES = 10;
    private static final int CALLERS = 30;
    private static final int EVENTS = Seeds.of(50_000, 150_000);
    private static final String FEW = "{'name':'few','per':['caller'],'window':'10s','panes':10,"
            + "'lock':{'when':[{'above':80}]},'overrides':[{'match':{'caller':'caller-1*'},'lock':{'when':[{'above':160}]}}]}";
    private static final String MANY =
            "{'name':'many','per':['caller'],'window':'10s','panes':10,'lock':{'when':[{'above':400}]}}";
    private static final String BYTES = "{'name':'bytes','per':['caller'],'measure':'bytes','window':'10s','panes':10,"
            + "'lock':{'when':[{'above':8000}]}}";
    private static final List<PolicySet> SETS = List.of(
            TestPolicies.policies(FEW + ',' + MANY + ',' + BYTES),
            TestPolicies.policies(MANY + ',' + BYTES + ',' + FEW),
            TestPolicies.policies(FEW.replace("'few'", "'other'") + ',' + BYTES + ',' + MANY));
    /** Those of all sets. What happens while a policy is not there counts for nothing but {@link #exact}. */
    private static final Map<String, Policy> POLICIES = SETS.stream()
            .flatMap(set -> set.policies().stream())
            .collect(Collectors.toMap(Policy::revision, policy -> policy, (policy, same) -> policy));

    private record Cell(String revision, String caller, long pane) {}

    private final Map<Cell, long[]> exact = new HashMap<>();
    private final Map<Cell, long[]> left = new HashMap<>();
    private final Set<String> released = new HashSet<>();

    private void left(UsageKey key, UsagePartial partial) {
        String caller = key.subject().get(0);
        if (caller.startsWith("caller-")) {
            add(
                    left,
                    new Cell(key.policyRevision(), caller, partial.pane()),
                    partial.admitted(),
                    partial.admittedCount());
            released.add(key.policyRevision());
        }
    }

    private static void add(Map<Cell, long[]> to, Cell cell, long amount, long count) {
        long[] sums = to.computeIfAbsent(cell, missing -> new long[2]);
        sums[0] += amount;
        sums[1] += count;
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(1, 4));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void eachPolicy_getsAllThatItsMarkAllows_andNothingTwice(long seed) {
        Random random = new Random(seed);
        HeapBudget heap = TestBudgets.heap();
        Meter meter = new Meter(0, METERS, TestBudgets.TIMES, heap, new Counts());
        PolicySet set = SETS.get(0);
        meter.policies(set);
        long time = START;
        for (int i = 0; i < EVENTS; i++) {
            time = START + i / 2;
            if (i % 16 == 0) {
                // some come and go
                int caller = random.nextInt(1 + random.nextInt(CALLERS));
                boolean active = (time / 10_000 + caller) % 5 < 3;
                long at = random.nextInt(20) == 0 ? time - random.nextInt(40_000) : time;
                if (active) {
                    count(meter, TestEvents.costing("caller-" + caller, at, random.nextInt(100), 0));
                }
            } else {
                meter.add(TestEvents.costing("other-" + random.nextInt(40_000), time, 100, 0));
            }
            switch (random.nextInt(1_000)) {
                case 0 -> check(meter, set, time);
                case 1, 2, 3 -> meter.drainHeavy(this::left);
                case 4 -> watch(meter, set, random, time);
                case 5 -> {
                    set = SETS.get(random.nextInt(SETS.size()));
                    meter.policies(set);
                }
                default -> {}
            }
        }
        check(meter, set, time);

        assertThat(released).as("policies for which something left").hasSize(4);
        meter.close();
        assertThat(heap.used(Account.METERS)).isZero();
    }

    private void count(Meter meter, RequestEvent event) {
        meter.add(event);
        for (Policy policy : POLICIES.values()) {
            long amount = policy.name().equals("bytes") ? event.bytes() : 1;
            add(exact, new Cell(policy.revision(), event.caller(), event.time() / 1_000), amount, 1);
        }
    }

    /** The policies that are in all sets. */
    private static List<Policy> staying(PolicySet set) {
        return set.policies().stream()
                .filter(policy -> policy.name().equals("many") || policy.name().equals("bytes"))
                .toList();
    }

    private void watch(Meter meter, PolicySet set, Random random, long time) {
        List<Policy> staying = staying(set);
        Policy policy = staying.get(random.nextInt(staying.size()));
        String caller = "caller-" + random.nextInt(CALLERS);
        meter.watch(new UsageKey(policy.revision(), List.of(caller)), time + 5_000);
        meter.drainAll(this::left);

        for (long pane = time / 1_000 - PANES + 1; pane <= time / 1_000; pane++) {
            assertThat(unsent(policy, caller, pane)).as("watched").isZero();
        }
    }

    private long unsent(Policy policy, String caller, long pane) {
        Cell cell = new Cell(policy.revision(), caller, pane);
        long[] none = new long[2];
        return exact.getOrDefault(cell, none)[0] - left.getOrDefault(cell, none)[0];
    }

    private void check(Meter meter, PolicySet set, long time) {
        meter.drainAll(this::left);
        left.forEach((cell, sums) -> {
            long[] most = exact.getOrDefault(cell, new long[2]);
            assertThat(sums[0]).as("%s", cell).isLessThanOrEqualTo(most[0]);
            assertThat(sums[1]).as("%s", cell).isLessThanOrEqualTo(most[1]);
        });
        for (Policy policy : staying(set)) {
            for (int caller = 0; caller < CALLERS; caller++) {
                String name = "caller-" + caller;
                double threshold = policy.lockFor(List.of(name)).smallestThreshold();
                for (long last = time / 1_000 - 50; last <= time / 1_000; last++) {
                    long sum = 0;
                    for (long pane = last - PANES + 1; pane <= last; pane++) {
                        sum += unsent(policy, name, pane);
                    }
                    assertThat(sum).as("%s of %s", policy.name(), name).isLessThan((long) threshold / 2 / METERS);
                }
            }
        }
    }
}
