package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaStatus;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The strategies of an agent by name. Thread-safe. */
public final class StrategyClients {
    private final Map<String, StrategyClient> byName = new LinkedHashMap<>();
    private final Set<StrategyLack> lacks = ConcurrentHashMap.newKeySet();
    private final long waitNanos;

    /**
     * Creates the clients of strategies with distinct names.
     *
     * @param ticks monotonic nanoseconds
     * @param waitNanos the longest wait of a request for an answer
     */
    public StrategyClients(List<QuotaStrategy> strategies, LongSupplier ticks, long waitNanos) {
        this.waitNanos = waitNanos;
        strategies.forEach(it -> byName.put(it.name(), new StrategyClient(it, ticks, waitNanos)));
    }

    /** Returns the longest wait of a request for an answer, nanoseconds. */
    public long waitNanos() {
        return waitNanos;
    }

    /** Returns the client of a strategy, {@code null} if the agent does not have it. */
    public @Nullable StrategyClient get(String name) {
        return byName.get(name);
    }

    /**
     * Replaces the limits in force, of the agent's service.
     *
     * @return why some of them are applied by shares, in words: what is new of it
     */
    public List<String> limits(Stream<LimitRule> limits) {
        Set<StrategyLack> found = limits.flatMap(limit -> Stream.ofNullable(lack(limit)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        lacks.retainAll(found);
        return found.stream().filter(lacks::add).map(StrategyLack::reason).toList();
    }

    /** Records that a request fell under a limit that its store does not count: one of another service was not among the limits in force. */
    public void met(String strategy, Algorithm algorithm) {
        StrategyLack lack = StrategyLack.of(algorithm, strategy, get(strategy));
        if (lack != null) {
            lacks.add(lack);
        }
    }

    private @Nullable StrategyLack lack(LimitRule limit) {
        String strategy = limit.strategy();
        return strategy == null ? null : StrategyLack.of(limit.algorithm(), strategy, get(strategy));
    }

    /** Sends the corrections that wait, and waits for the answers, a second at most for each strategy. */
    public void drain() {
        byName.values().forEach(StrategyClient::drain);
    }

    /** Returns the state of all strategies, and of those that policies name in vain. */
    public List<QuotaStatus> status() {
        List<QuotaStatus> all = new ArrayList<>();
        byName.values().forEach(client -> all.add(client.status()));
        lacks.stream()
                .filter(lack -> lack.algorithm() == null)
                .map(StrategyLack::name)
                .sorted()
                .forEach(name -> all.add(QuotaStatus.missing(name)));
        return all;
    }

    /** Returns the strategies whose answers limits do without, for now or always. */
    public List<String> unanswered() {
        return Stream.concat(
                        byName.values().stream()
                                .map(StrategyClient::status)
                                .filter(status -> status.state() != QuotaStatus.State.CLOSED)
                                .map(QuotaStatus::strategy),
                        lacks.stream().map(StrategyLack::name).sorted())
                .toList();
    }

    /** Returns what is wrong with them, in words. */
    public List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        lacks.stream().map(StrategyLack::reason).sorted().forEach(reasons::add);
        for (StrategyClient client : byName.values()) {
            QuotaStatus status = client.status();
            if (status.state() != QuotaStatus.State.CLOSED) {
                reasons.add("the strategy " + status.strategy()
                        + (client.returning() ? " answers again" : " does not answer")
                        + "; this agent applies its share");
            }
        }
        return reasons;
    }
}
