package io.sluice.contract.codec;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.decision.PolicySetChange;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import io.sluice.contract.usage.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One record of each kind; the files in {@code codecs} hold their bytes. */
final class Samples {
    static final long TIME = 1763699999123L;
    static final long EPOCH = 1763690000000L;

    static final RequestEvent REQUEST = new RequestEvent(
            TIME,
            "acme",
            "orders",
            "/orders/{id}",
            "GET",
            "203.0.113.9",
            200,
            512,
            12_500,
            "orders-7f9c",
            Outcome.ALLOWED,
            3,
            Identity.AUTHENTICATED,
            Map.of("plan", "gold"));
    static final GateLock LOCK = new GateLock(
            "noisy-neighbour",
            List.of("acme", "/orders"),
            Mode.THROTTLE,
            50,
            0,
            600_000,
            1763699999200L,
            1763703599200L,
            1,
            true,
            false,
            new Evidence(
                    "share",
                    0.62,
                    0.4,
                    "requests",
                    60_000,
                    12_345,
                    19_911,
                    TIME,
                    1763699999190L,
                    "noisy-neighbour@0123456789abcdef"),
            new Version("decide-3", EPOCH, 41));
    static final GateLock LOCK_WITH_PER = new GateLock(
            "noisy-neighbour",
            List.of("203.0.113.0/24", "/orders"),
            List.of("ip/24", "route"),
            Mode.BLOCK,
            0,
            0,
            600_000,
            1763699999200L,
            1763703599200L,
            1,
            false,
            false,
            null,
            new Version("decide-3", EPOCH, 41));
    static final OperatorRecord.Lock OPERATOR_LOCK_WITH_PER = new OperatorRecord.Lock(
            "noisy-neighbour",
            List.of("acme"),
            List.of("caller"),
            Mode.BLOCK,
            0,
            3_600_000,
            "ada",
            "import gone wild",
            TIME);
    static final OperatorRecord.Release OPERATOR_RELEASE_WITH_PER = new OperatorRecord.Release(
            "noisy-neighbour", List.of("acme"), List.of("caller"), 600_000, "ada", "they called", TIME);
    static final LockTransition TRANSITION =
            new LockTransition(LockTransition.Event.RELEASED, LockTransition.Cause.DEMAND, TIME, LOCK_WITH_PER, 3);
    static final PolicySetChange POLICY_SET_CHANGE =
            new PolicySetChange("00c0ffee00c0ffee", "0123456789abcdef", "ada", "higher limits", TIME);
    static final AnalyzerHeartbeat HEARTBEAT =
            new AnalyzerHeartbeat(new Version("decide-3", EPOCH, 42), "analyzer-1", TIME, Map.of("orders", 3));
    static final OperatorRecord.Lock OPERATOR_LOCK = new OperatorRecord.Lock(
            "noisy-neighbour", List.of("acme"), Mode.THROTTLE, 2.5, 3_600_000, "ada", "import gone wild", TIME);
    static final OperatorRecord.Release OPERATOR_RELEASE =
            new OperatorRecord.Release("noisy-neighbour", List.of("acme"), 600_000, "ada", "they called", TIME);
    static final OperatorRecord.Enforce OPERATOR_ENFORCE =
            new OperatorRecord.Enforce("orders-7f9c", false, 0, "ada", "drill", TIME);
    static final AgentHeartbeat AGENT =
            new AgentHeartbeat("orders-7f9c", "orders", Freshness.FRESH, 2, 100, 7, 1, TIME, Map.of(), Map.of());
    static final AgentHeartbeat AGENT_WITH_COUNTS = new AgentHeartbeat(
            "orders-7f9c",
            "orders",
            Freshness.FRESH,
            2,
            100,
            7,
            1,
            TIME,
            Map.of("acme-plans", 6L, "noisy-neighbour", 1L),
            Map.of("scraper", 9_000_000_000L));
    /** With a reason of a version to come. */
    static final AgentHeartbeat AGENT_WITH_REASONS = new AgentHeartbeat(
            "orders-7f9c",
            "orders",
            Freshness.STALE,
            2,
            100,
            7,
            1,
            TIME,
            Map.of(),
            Map.of(),
            true,
            List.of("redis"),
            List.of("analyzer-silent", "store-unanswered", "later-reason"),
            0);

    static final AgentHeartbeat AGENT_WITH_RUN = new AgentHeartbeat(
            "orders-7f9c",
            "orders",
            Freshness.FRESH,
            2,
            100,
            7,
            1,
            TIME,
            Map.of(),
            Map.of(),
            false,
            List.of(),
            List.of(),
            (1L << 53) - 1);

    static final UsagePartial PARTIAL =
            new UsagePartial(false, 1763699999, 300, 200, 100, TIME - 700, TIME, new Origin(2, EPOCH), 77);
    static final UsagePartial LOAD_PARTIAL =
            new UsagePartial(true, 1763699999, 128, 127, 0, TIME, TIME, new Origin(2, EPOCH), 78);
    static final UsagePartial DISTINCT_PARTIAL = new UsagePartial(
            false, 1763699999, 3, 200, 100, TIME - 700, TIME, new Origin(2, EPOCH), 80, 0, new Values(new byte[] {
                0, 1, 2, -1
            }));
    static final UsagePartial TIMED_PARTIAL = new UsagePartial(
            false, 1763699999, 300, 200, 100, TIME - 700, TIME, new Origin(2, EPOCH), 81, 12_345_678, Values.NONE);
    static final UsagePartial TIMED_LOAD_PARTIAL =
            new UsagePartial(true, 1763699999, 128, 127, 0, TIME, TIME, new Origin(2, EPOCH), 82, 1, Values.NONE);
    static final MeterPosition POSITION = new MeterPosition(TIME, new Origin(2, EPOCH), 79);

    /** In the order in which a meter sends them: what its position speaks of comes first. */
    static final Map<UsageKey, UsageRecord> BUNDLED = bundled();

    private Samples() {}

    private static Map<UsageKey, UsageRecord> bundled() {
        Map<UsageKey, UsageRecord> records = new LinkedHashMap<>();
        records.put(new UsageKey("noisy-neighbour@0123456789abcdef", List.of("acme")), PARTIAL);
        records.put(UsageKey.ofMeter(2), POSITION);
        return records;
    }

    static Load timedLoad() {
        return new Load(
                1763699990,
                new long[] {0, 300, 5},
                new long[] {0, 200, 5},
                new long[] {1, 0, 0},
                TIME - 9000,
                TIME,
                new Load.Service(new long[] {0, 7_000_000, 9}, 123_456.789, 98.5));
    }

    // arrays make a load unequal to its like, so it is made anew
    static Load load() {
        return new Load(
                1763699990, new long[] {0, 300, 5}, new long[] {0, 200, 5}, new long[] {1, 0, 0}, TIME - 9000, TIME);
    }
}
