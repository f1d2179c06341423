package io.sluice.agent.internal.gate;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Gates without Kafka, with a clock that stands still until it is told to move. */
final class GateHarness {
    static final long BROKER = 1_763_700_000_000L;
    static final long MAX_LEASE = 600_000;
    static final long WALL = 1_763_699_000_000L;
    private static final long MS = 1_000_000;

    final DecisionState decisions;
    final Gatekeeper gatekeeper;
    private long millis = 1000;
    private long slept;
    private long seq;

    GateHarness() {
        this(true, 1000);
    }

    GateHarness(boolean enforce, int gates) {
        this(enforce, gates, new GateCount(gates));
    }

    GateHarness(boolean enforce, int gates, GateCount count) {
        this(new DecisionState.Settings("agent-1", "orders", enforce, MAX_LEASE, 5000, gates), count);
    }

    private GateHarness(DecisionState.Settings settings, GateCount count) {
        decisions = new DecisionState(settings, count);
        gatekeeper = new Gatekeeper(decisions, this::now);
        decisions.refresh(now(), WALL);
    }

    /** One that checks requests of its own service, orders, only. */
    static GateHarness ownServiceOnly() {
        return new GateHarness(
                new DecisionState.Settings("agent-1", "orders", true, MAX_LEASE, 5000, 1000, true),
                new GateCount(1000));
    }

    static PolicySet set(String json) {
        try {
            return PolicySetReader.read(JsonNodes.read(json.getBytes(StandardCharsets.UTF_8), "test"));
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalArgumentException(e);
        }
    }

    GateHarness policies(String... policies) {
        decisions.policies(set("{\"policies\":[" + String.join(",", policies) + "]}"));
        return this;
    }

    /** Caught up, broker time known, the one task heard of. */
    GateHarness fresh() {
        decisions.caughtUp();
        decisions.anchored(brokerNow(), now());
        heartbeat(1);
        refresh();
        return this;
    }

    GateHarness stale() {
        fresh();
        forward(5_001);
        refresh();
        return this;
    }

    void refresh() {
        decisions.refresh(now(), WALL + millis);
    }

    void forward(long more) {
        millis += more;
    }

    /** The machine sleeps: the broker's clock goes on, the monotonic clock does not. */
    void sleep(long more) {
        slept += more;
    }

    long now() {
        return millis * MS;
    }

    long brokerNow() {
        return BROKER + millis + slept;
    }

    void heartbeat(long epoch) {
        heartbeat(epoch, 2);
    }

    void heartbeat(long epoch, int liveAgents) {
        decisions.gateRecord(
                0,
                new AnalyzerHeartbeat(new Version("decide-0", epoch, seq++), "a", 0, Map.of("orders", liveAgents)),
                brokerNow(),
                now());
    }

    Version version(long epoch) {
        return new Version("decide-0", epoch, seq++);
    }

    void lock(String policy, String caller, Mode mode) {
        lock(lockOf(policy, caller, mode, 60_000, version(1)));
    }

    void lock(GateLock lock) {
        decisions.gateRecord(0, lock, brokerNow(), now());
    }

    GateLock lockOf(String policy, String caller, Mode mode, long ttl, Version version) {
        double rate = mode == Mode.THROTTLE ? 4 : 0;
        double ratio = mode == Mode.SHED ? 1 : 0;
        return new GateLock(
                policy,
                List.of(caller),
                mode,
                rate,
                ratio,
                ttl,
                brokerNow(),
                brokerNow() + ttl,
                1,
                false,
                false,
                null,
                version);
    }

    void operator(OperatorRecord record) {
        decisions.operator(record, brokerNow(), now());
    }

    OperatorRecord operatorLock(String policy, String caller, Mode mode) {
        return new OperatorRecord.Lock(
                policy, List.of(caller), mode, mode == Mode.THROTTLE ? 4 : 0, 60_000, "ann", "test", 0);
    }

    OperatorRecord release(String policy, String caller) {
        return new OperatorRecord.Release(policy, List.of(caller), 60_000, "ann", "test", 0);
    }

    Verdict check(String caller) {
        return check(Request.of(caller).service("orders").build());
    }

    Verdict check(Request request) {
        return gatekeeper.check(request, now());
    }

    Verdict check(String caller, long cost) {
        return gatekeeper.check(Request.of(caller).service("orders").build(), null, cost, now());
    }

    void charge(String caller, long cost) {
        gatekeeper.charge(Request.of(caller).service("orders").build(), cost, now());
    }

    long wouldReject(String policy) {
        return decisions.rules().policies().stream()
                .filter(each -> each.policy().name().equals(policy))
                .mapToLong(each -> each.counts().wouldReject.sum())
                .sum();
    }

    boolean allows(String caller) {
        return check(caller).allowed();
    }

    /** Who turned it away: {@code LOCKED by p}, {@code LIMITED by p}, or {@code allowed}. */
    String asked(String caller) {
        return check(caller) instanceof Verdict.Rejected rejected
                ? rejected.reason() + " by " + rejected.policy()
                : "allowed";
    }
}
