package io.sluice.benchmarks.strategies;

import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Gatekeeper;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStatus;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.contract.policy.PolicySetReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An agent without Kafka: what {@code GateAgent.check} does, one of two live agents. */
final class OurClient implements QuotaClient {
    private static final String SERVICE = "orders";
    private static final int AGENTS = 2;
    private static final long LEASE = 86_400_000;
    private static final int GATES = 100_000;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final long origin = System.nanoTime();
    private final List<QuotaStrategy> strategies;
    private final StrategyClients clients;
    private final Gatekeeper gatekeeper;

    private OurClient(List<QuotaStrategy> strategies, String policies, Duration wait) throws Exception {
        this.strategies = strategies;
        clients = new StrategyClients(strategies, this::ticks, wait.toNanos());
        String name = "agent-" + MADE.incrementAndGet();
        DecisionState decisions =
                new DecisionState(new DecisionState.Settings(name, SERVICE, true, LEASE, LEASE, GATES));
        gatekeeper = new Gatekeeper(decisions, this::ticks, clients);
        decisions.policies(PolicySetReader.read(JsonNodes.read(policies.getBytes(StandardCharsets.UTF_8), "policies")));
        decisions.caughtUp();
        long now = System.currentTimeMillis();
        decisions.anchored(now, ticks());
        decisions.gateRecord(
                0,
                new AnalyzerHeartbeat(new Version("decide-0", 1, 1), "analyzer-1", now, Map.of(SERVICE, AGENTS)),
                now,
                ticks());
        decisions.refresh(ticks(), now);
    }

    /** Returns an agent that applies its share of a limit. */
    static OurClient shares(QuotaLimit limit, Duration wait) throws Exception {
        return new OurClient(List.of(), policies(limit, null), wait);
    }

    /** Returns an agent that asks a store. */
    static OurClient of(QuotaStrategyProvider provider, Map<String, String> settings, QuotaLimit limit, Duration wait)
            throws Exception {
        return new OurClient(List.of(provider.create(settings)), policies(limit, provider.name()), wait);
    }

    private static String policies(QuotaLimit limit, @Nullable String strategy) {
        String burst = limit.algorithm() == Algorithm.TOKEN_BUCKET ? ",\"burst\":" + limit.burst() : "";
        return "{\"policies\":[{\"name\":\"%s\",\"per\":[\"caller\"],\"limit\":{\"algorithm\":\"%s\",\"rate\":\"%d/s\"%s,\"scope\":\"fleet\"%s}}]}"
                .formatted(
                        limit.policy(),
                        limit.algorithm().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        (long) limit.permits(),
                        burst,
                        strategy == null ? "" : ",\"strategy\":\"" + strategy + "\"");
    }

    private long ticks() {
        return System.nanoTime() - origin;
    }

    @Override
    public boolean acquire(String caller) {
        return gatekeeper
                .check(Request.of(caller).service(SERVICE).build(), ticks())
                .allowed();
    }

    @Override
    public long unanswered() {
        return clients.status().stream().mapToLong(QuotaStatus::degraded).sum();
    }

    @Override
    public void close() {
        strategies.forEach(QuotaStrategy::close);
    }
}
