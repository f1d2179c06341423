package io.sluice.analyzer.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A meter with policies in different groups sends what a meter with each of them alone sends, while policies come and go. */
class MixedGroupsTest {
    private static final long START = 1_763_700_000_000L;
    private static final int METERS = 4;
    private static final int EVENTS = Seeds.of(14_000, 40_000);
    private static final String LOCK = "'window':'10s','panes':10,'lock':{'when':[{'above':80}]}";
    private static final List<String> POLICIES = List.of(
            "{'name':'caller','per':['caller']," + LOCK
                    + ",'overrides':[{'match':{'caller':'busy-1*'},'lock':{'when':[{'above':160}]}}]}",
            "{'name':'service','per':['service'],'match':{'method':'GET'}," + LOCK + "}",
            "{'name':'both','per':['caller','service']," + LOCK + "}",
            "{'name':'plan','per':['caller','labels.plan']," + LOCK + "}",
            "{'name':'routes','per':['caller'],'measure':{'distinct':'route'}," + LOCK + "}",
            "{'name':'share','per':['service'],'window':'10s','panes':10,"
                    + "'lock':{'when':[{'share':'40%','beyond':80}]}}",
            "{'name':'spike','per':['caller'],'window':'10s','panes':10,"
                    + "'lock':{'when':[{'spike':3,'baseline':'1h','floor':80}]}}");

    private record Left(UsageKey key, UsagePartial partial) {
        /** Without the writer's order, which counts what other policies send, too. */
        static Left of(UsageKey key, UsagePartial it) {
            return new Left(
                    key,
                    new UsagePartial(
                            it.load(),
                            it.pane(),
                            it.admitted(),
                            it.admittedCount(),
                            it.rejectedCount(),
                            it.firstTime(),
                            it.newestTime(),
                            new Origin(0, 0),
                            0,
                            it.micros(),
                            it.values()));
        }
    }

    private static PolicySet set(List<String> policies) {
        return TestPolicies.set("{'allow':[{'caller':'internal-*'}],'policies':[" + String.join(",", policies) + "]}");
    }

    private static Meter meter(HeapBudget heap) {
        return new Meter(0, METERS, TestBudgets.TIMES, heap, new Counts());
    }

    private static List<Left> drained(Meter meter) {
        List<Left> left = new ArrayList<>();
        meter.drainAll((key, partial) -> left.add(Left.of(key, partial)));
        return left;
    }

    private static RequestEvent event(Random random, long time) {
        // far more others, so that a 256th of all is more than the mark
        String caller = random.nextInt(20) == 0
                ? "busy-" + random.nextInt(1 + random.nextInt(20))
                : "other-" + random.nextInt(5_000);
        boolean rejected = random.nextInt(500) == 0;
        return new RequestEvent(
                random.nextInt(30) == 0 ? time - random.nextInt(40_000) : time,
                random.nextInt(100) == 0 ? "internal-1" : caller,
                "service-" + random.nextInt(2_000),
                "/route-" + random.nextInt(1 + random.nextInt(30)),
                random.nextBoolean() ? "GET" : "POST",
                "203.0.113.9",
                rejected ? 429 : 200,
                random.nextInt(1_000),
                0,
                "gateway-1",
                rejected ? Outcome.LOCKED : Outcome.ALLOWED,
                1,
                random.nextInt(50) == 0 ? Identity.CLAIMED : Identity.AUTHENTICATED,
                random.nextInt(3) == 0 ? Map.of() : Map.of("plan", random.nextBoolean() ? "free" : "paid"));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(1, 10));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void eachPolicy_sendsTheSameBesideOthersAsAlone(long seed) {
        Random random = new Random(seed);
        HeapBudget heap = TestBudgets.heap();
        Meter together = meter(heap);
        List<Meter> alone = POLICIES.stream().map(policy -> meter(heap)).toList();
        long released = 0;
        for (int i = 0; i < EVENTS; i++) {
            if (i % 4_000 == 0) {
                List<String> active = POLICIES.stream()
                        .filter(policy -> random.nextInt(4) > 0)
                        .toList();
                together.policies(set(active));
                for (int policy = 0; policy < POLICIES.size(); policy++) {
                    String its = POLICIES.get(policy);
                    alone.get(policy).policies(set(active.contains(its) ? List.of(its) : List.of()));
                }
            }
            // several times what tables keep
            RequestEvent event = event(random, START + 10L * i);
            together.add(event);
            alone.forEach(meter -> meter.add(event));
            if (i % 500 == 0) {
                List<Left> expected =
                        alone.stream().flatMap(meter -> drained(meter).stream()).toList();
                released += expected.stream()
                        .filter(it -> it.key().subject().toString().contains("busy-"))
                        .count();
                assertThat(sorted(drained(together))).isEqualTo(sorted(expected));
            }
        }
        assertThat(released).isGreaterThan(100);
        together.close();
        alone.forEach(Meter::close);
        assertThat(heap.used(Account.METERS)).isZero();
    }

    private static List<Left> sorted(List<Left> left) {
        return left.stream()
                .sorted(Comparator.comparing((Left it) -> it.key().toString())
                        .thenComparing(it -> it.partial().toString())
                        .thenComparingInt(it -> it.partial().hashCode()))
                .toList();
    }
}
