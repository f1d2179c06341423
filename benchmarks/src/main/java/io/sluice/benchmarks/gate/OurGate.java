package io.sluice.benchmarks.gate;

import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Gatekeeper;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The agent without Kafka: what {@code GateAgent.check} does, behind the same records. Fresh, as an agent whose analyzer
 * is alive. Thread-safe once it is set up.
 */
public final class OurGate {
    private static final String LOCK = "{\"name\":\"noisy\",\"per\":[\"caller\"],\"match\":{\"service\":\"orders\"},"
            + "\"lock\":{\"when\":[{\"above\":100000}]}}";
    private static final String LIMIT =
            "{\"name\":\"plans\",\"per\":[\"caller\"],\"match\":{\"service\":\"orders\"},\"limit\":%s}";
    private static final String BOTH = "{\"name\":\"noisy\",\"per\":[\"caller\"],\"match\":{\"service\":\"orders\"},"
            + "\"lock\":{\"when\":[{\"above\":100000}]},\"limit\":%s}";
    private static final long LEASE = 600_000;
    private static final int GATES = 2_000_000;

    private final long origin = System.nanoTime();
    private final DecisionState decisions;
    private final Gatekeeper gatekeeper;
    private final LongAdder passed = new LongAdder();
    private long sequence;

    private OurGate(String policies) {
        decisions = new DecisionState(new DecisionState.Settings("agent-1", "orders", true, LEASE, LEASE, GATES));
        gatekeeper = new Gatekeeper(decisions, this::ticks);
        try {
            decisions.policies(PolicySetReader.read(JsonNodes.read(
                    ("{\"policies\":[" + policies + "]}").getBytes(StandardCharsets.UTF_8), "policies")));
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalStateException(e);
        }
        decisions.caughtUp();
        decisions.anchored(brokerNow(), ticks());
        decisions.gateRecord(
                0,
                new AnalyzerHeartbeat(version(), "analyzer-1", brokerNow(), Map.of("orders", 1)),
                brokerNow(),
                ticks());
        decisions.refresh(ticks(), brokerNow());
    }

    /** A policy that locks, and one with a limit; both by caller. */
    static OurGate twoPolicies(Allowance allowance) {
        return new OurGate(LOCK + "," + LIMIT.formatted(limit(allowance)));
    }

    /** One policy that does both. */
    static OurGate onePolicy(Allowance allowance) {
        return new OurGate(BOTH.formatted(limit(allowance)));
    }

    /** For locks; no caller reaches its limit. */
    public static OurGate forLocks() {
        return twoPolicies(Allowance.PLENTY);
    }

    /** For limiters that stay in use after one request. */
    public static OurGate forLimits() {
        return twoPolicies(Allowance.NOTHING);
    }

    private static String limit(Allowance allowance) {
        return "{\"rate\":\"%d/%s\",\"burst\":%d}"
                .formatted(allowance.permits(), allowance.per().toSeconds() == 1 ? "s" : "h", allowance.burst());
    }

    private Version version() {
        sequence++;
        return new Version(parsed("decide-0"), 1, sequence);
    }

    /** A copy, as a parser makes. */
    private static String parsed(String text) {
        return new String(text.toCharArray());
    }

    private long ticks() {
        return System.nanoTime() - origin;
    }

    private static long brokerNow() {
        return System.currentTimeMillis();
    }

    /** Locks a caller, as a record from the analyzer does: with strings of its own, for it was parsed. */
    public OurGate lock(String caller) {
        long now = brokerNow();
        GateLock lock = new GateLock(
                parsed("noisy"),
                List.of(caller),
                Mode.BLOCK,
                0,
                0,
                LEASE,
                now,
                now + LEASE,
                1,
                false,
                false,
                null,
                version());
        decisions.gateRecord(0, lock, now, ticks());
        return this;
    }

    /** Locks the million that never asks. */
    OurGate lockAMillion() {
        for (int i = 0; i < Callers.LOCKED; i++) {
            lock(Callers.name(Callers.ASKING + i));
        }
        return this;
    }

    /** A request as a service describes it. */
    public static Request request(String caller) {
        return Request.of(caller)
                .service("orders")
                .route("/orders/{id}")
                .method("GET")
                .build();
    }

    /** The body of {@code GateAgent.check}. */
    public Verdict check(Request request) {
        Verdict verdict = gatekeeper.check(request, ticks());
        if (verdict.allowed()) {
            passed.increment();
        }
        return verdict;
    }
}
