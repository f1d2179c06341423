package io.sluice.analyzer.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.analyzer.Count;
import io.sluice.analyzer.decide.HeldLocks;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Metrics of each policy: registered when it is first seen, at zero, and kept, for a counter must not go. Thread-safe. */
final class PolicyMeters {
    private static final Map<String, Count> COUNTERS = Map.of(
            "sluice.locks.opened", Count.OPENED,
            "sluice.locks.renewed", Count.RENEWED,
            "sluice.locks.released", Count.RELEASED,
            "sluice.locks.expired", Count.EXPIRED,
            "sluice.locks.guarded", Count.GUARDED);
    private static final Map<String, ToDoubleFunction<HeldLocks>> STATES =
            Map.of("enforced", HeldLocks::enforced, "guarded", HeldLocks::guarded, "shadow", HeldLocks::shadows);

    private final Analyzer analyzer;
    private final MeterRegistry registry;
    private final Set<String> known = new HashSet<>();

    PolicyMeters(Analyzer analyzer, MeterRegistry registry) {
        this.analyzer = analyzer;
        this.registry = registry;
    }

    /** Takes in the policies that are new. */
    synchronized void follow() {
        PolicySet set = analyzer.fleet().policies();
        if (set != null) {
            set.policies().stream().map(Policy::name).filter(known::add).forEach(this::register);
        }
    }

    private void register(String policy) {
        COUNTERS.forEach((name, count) -> FunctionCounter.builder(
                        name, analyzer, it -> it.tallies().total(count, policy))
                .tag("policy", policy)
                .register(registry));
        STATES.forEach((state, of) -> Gauge.builder(
                        "sluice.locks.held",
                        analyzer,
                        it -> of.applyAsDouble(it.tallies().held(policy)))
                .description("locks that are held")
                .tags("policy", policy, "state", state)
                .register(registry));
        Gauge.builder("sluice.subjects.active", analyzer, it -> it.fleet().active(it.instance(), policy))
                .description("about how many subjects were admitted within the window")
                .tag("policy", policy)
                .register(registry);
    }
}
