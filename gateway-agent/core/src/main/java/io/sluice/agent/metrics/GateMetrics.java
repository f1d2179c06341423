package io.sluice.agent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.agent.AgentListener;
import io.sluice.agent.AgentStatus;
import io.sluice.agent.GateAgent;
import io.sluice.agent.quota.QuotaStatus;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.ReactionBuckets;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Binds an agent's counters to the host's registry: {@code new GateMetrics(agent).bindTo(registry)}. The meters read counters that the agent
 * keeps anyway, so checks cost nothing more. No tag contains a caller. Thread-safe.
 */
public final class GateMetrics implements MeterBinder {
    private final GateAgent agent;
    private final CachedStatus status;

    /**
     * Creates the binder of an agent.
     *
     * @param agent the agent; stays open
     */
    public GateMetrics(GateAgent agent) {
        this.agent = agent;
        status = new CachedStatus(agent::status, System::nanoTime);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Bound bound = new Bound(registry, status, Tags.of("service", agent.service()));
        bound.checks();
        bound.state();
        bound.log();
        agent.quotas().stream()
                .filter(quota -> quota.state() != QuotaStatus.State.MISSING)
                .forEach(quota -> bound.quota(agent, quota.strategy()));
        agent.listen(bound.reactions());
    }

    /** The meters of one registry. */
    private record Bound(MeterRegistry registry, CachedStatus status, Tags tags) {
        void checks() {
            counter("sluice.gate.checks", AgentStatus::allowed, Tag.of("outcome", "allowed"));
            counter("sluice.gate.checks", AgentStatus::locked, Tag.of("outcome", "locked"));
            counter("sluice.gate.checks", AgentStatus::limited, Tag.of("outcome", "limited"));
            counter("sluice.gate.checks.claimed", AgentStatus::claimed);
            counter("sluice.gate.failures", AgentStatus::failures);
        }

        void state() {
            gauge("sluice.gate.locks", AgentStatus::locks);
            gauge("sluice.gate.subjects", AgentStatus::gates);
            gauge("sluice.gate.enforcing", it -> it.enforcing() ? 1 : 0);
            for (Freshness freshness : Freshness.values()) {
                Tag tag = Tag.of("state", freshness.name().toLowerCase(Locale.ROOT));
                gauge("sluice.gate.freshness", it -> it.freshness() == freshness ? 1 : 0, tag);
            }
            TimeGauge.builder("sluice.gate.age", status, TimeUnit.MILLISECONDS, it -> oldest(it.get()))
                    .description("time since the last heartbeat of the analyzer task with the oldest one")
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        }

        private static double oldest(AgentStatus status) {
            return status.heartbeatAges().values().stream()
                    .mapToDouble(Long::doubleValue)
                    .max()
                    .orElse(Double.NaN);
        }

        void log() {
            counter("sluice.gate.log.sent", AgentStatus::sent);
            counter("sluice.gate.log.dropped", AgentStatus::drops);
            counter("sluice.gate.records.passed.over", AgentStatus::malformed, Tag.of("reason", "malformed"));
            counter("sluice.gate.records.passed.over", AgentStatus::newerFormats, Tag.of("reason", "newer-format"));
            counter("sluice.gate.records.passed.over", AgentStatus::fenced, Tag.of("reason", "fenced"));
            counter("sluice.gate.records.passed.over", AgentStatus::misfits, Tag.of("reason", "other-subject"));
            counter("sluice.gate.records.passed.over", AgentStatus::unsigned, Tag.of("reason", "unsigned"));
        }

        /** Registers the meters of a strategy. */
        void quota(GateAgent agent, String strategy) {
            quotaCounter(agent, strategy, "granted", QuotaStatus::granted);
            quotaCounter(agent, strategy, "refused", QuotaStatus::refused);
            quotaCounter(agent, strategy, "failed", QuotaStatus::failed);
            quotaCounter(agent, strategy, "timed-out", QuotaStatus::timedOut);
            quotaCounter(agent, strategy, "degraded", QuotaStatus::degraded);
            FunctionCounter.builder(
                            "sluice.gate.quota.corrections.dropped",
                            agent,
                            it -> of(it, strategy, QuotaStatus::droppedCorrections))
                    .tags(tags.and("strategy", strategy))
                    .register(registry);
            Gauge.builder(
                            "sluice.gate.quota.available",
                            agent,
                            it -> of(it, strategy, quota -> quota.state() == QuotaStatus.State.CLOSED ? 1 : 0))
                    .tags(tags.and("strategy", strategy))
                    .strongReference(true)
                    .register(registry);
            ahead(agent, strategy);
        }

        /** Registers what a strategy takes ahead. */
        private void ahead(GateAgent agent, String strategy) {
            Gauge.builder(
                            "sluice.gate.quota.ahead.permits",
                            agent,
                            it -> of(it, strategy, quota -> quota.ahead().permits()))
                    .tags(tags.and("strategy", strategy))
                    .strongReference(true)
                    .register(registry);
            Gauge.builder(
                            "sluice.gate.quota.ahead.subjects",
                            agent,
                            it -> of(it, strategy, quota -> quota.ahead().subjects()))
                    .tags(tags.and("strategy", strategy))
                    .strongReference(true)
                    .register(registry);
            FunctionCounter.builder(
                            "sluice.gate.quota.ahead.beyond",
                            agent,
                            it -> of(it, strategy, quota -> quota.ahead().beyond()))
                    .tags(tags.and("strategy", strategy))
                    .register(registry);
        }

        private void quotaCounter(
                GateAgent agent, String strategy, String outcome, ToDoubleFunction<QuotaStatus> count) {
            FunctionCounter.builder("sluice.gate.quota.requests", agent, it -> of(it, strategy, count))
                    .tags(tags.and("strategy", strategy, "outcome", outcome))
                    .register(registry);
        }

        private static double of(GateAgent agent, String strategy, ToDoubleFunction<QuotaStatus> value) {
            return agent.quotas().stream()
                    .filter(quota -> quota.strategy().equals(strategy))
                    .mapToDouble(value)
                    .findFirst()
                    .orElse(Double.NaN);
        }

        AgentListener reactions() {
            Timer decided = timer("decided");
            Timer crossed = timer("crossed");
            Set<String> known = new HashSet<>();
            return new AgentListener() {
                @Override
                public synchronized void policies(PolicySet policies) {
                    policies.policies().stream()
                            .map(Policy::name)
                            .filter(known::add)
                            .forEach(Bound.this::policy);
                }

                @Override
                public void applied(long crossedAt, long decidedAt, long applied) {
                    crossed.record(Math.max(0, applied - crossedAt), TimeUnit.MILLISECONDS);
                    decided.record(Math.max(0, applied - decidedAt), TimeUnit.MILLISECONDS);
                }
            };
        }

        private Timer timer(String from) {
            return Timer.builder("sluice.gate.reaction")
                    .description("time until a lock takes effect in this agent, by broker time")
                    .tags(tags.and("from", from, "to", "applied"))
                    .serviceLevelObjectives(ReactionBuckets.upperBounds())
                    .register(registry);
        }

        /** Registers a policy's meters, which outlive the policy as its counts do. */
        private void policy(String name) {
            Tag policy = Tag.of("policy", name);
            counter(
                    "sluice.gate.rejections",
                    it -> it.lockedBy().getOrDefault(name, 0L),
                    policy,
                    Tag.of("outcome", "locked"));
            counter(
                    "sluice.gate.rejections",
                    it -> it.limitedBy().getOrDefault(name, 0L),
                    policy,
                    Tag.of("outcome", "limited"));
            counter("sluice.gate.rejections.shadow", it -> it.wouldRejectBy().getOrDefault(name, 0L), policy);
        }

        private void counter(String name, ToDoubleFunction<AgentStatus> of, Tag... more) {
            FunctionCounter.builder(name, status, it -> of.applyAsDouble(it.get()))
                    .tags(tags.and(more))
                    .register(registry);
        }

        private void gauge(String name, ToDoubleFunction<AgentStatus> of, Tag... more) {
            Gauge.builder(name, status, it -> of.applyAsDouble(it.get()))
                    .tags(tags.and(more))
                    .strongReference(true)
                    .register(registry);
        }
    }
}
