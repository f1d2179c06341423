package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.benchmarks.workload.EventText;
import io.sluice.benchmarks.workload.Policies;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.settings.SourceSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Runs a {@link Scenario} in virtual time. Seeded, so that a scenario always writes the same records. Not thread-safe. */
final class FleetSimulation implements VirtualBroker.Receiver {
    /** As the heap of the real processes of the calibration. */
    static final long HEAP_BYTES = 2L << 30;

    /** Requests arrive as the producer of the calibration sends them, in batches of all partitions. */
    private static final long LINGER_MILLIS = 20;

    private static final long BEGIN = 1_763_700_000_000L;
    private static final int AGENT_HEARTBEAT_SECONDS = 5;

    private final Scenario scenario;
    private final VirtualBroker broker;
    private final List<VirtualInstance> instances = new ArrayList<>();
    private final Map<String, AnalyzerHeartbeat> heartbeats = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final EventText text = new EventText(random);
    private final LogFormat format = LogFormats.of(
            new SourceSettings("any", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of()));
    private long now = BEGIN;
    private long events;

    FleetSimulation(Scenario scenario) {
        this.scenario = scenario;
        broker = new VirtualBroker(scenario, this);
        PolicySet policies = policies();
        for (int number = 0; number < scenario.instances(); number++) {
            instances.add(new VirtualInstance(number, scenario, policies, HEAP_BYTES, broker, BEGIN));
        }
    }

    /** Returns the policies of the simulation, as the real processes of the calibration have them. */
    static PolicySet policies() {
        try {
            return Policies.read(Policies.FIVE);
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs the whole scenario. */
    FleetFigures run() {
        run(scenario.warmUpSeconds());
        long commits = commits();
        long partials = partials();
        long before = events;
        broker.measure();
        run(scenario.seconds());
        double seconds = scenario.seconds();
        return new FleetFigures(
                scenario,
                broker,
                instances,
                (commits() - commits) / seconds,
                (partials() - partials) / seconds,
                (events - before) / seconds);
    }

    /** Returns the newest heartbeat of each decide task. */
    Collection<AnalyzerHeartbeat> heartbeats() {
        return List.copyOf(heartbeats.values());
    }

    private void run(int seconds) {
        for (int second = 0; second < seconds; second++) {
            for (int tick = 0; tick < 1_000 / VirtualInstance.TICK_MILLIS; tick++) {
                tick();
            }
            agentHeartbeats();
        }
    }

    private void tick() {
        now += VirtualInstance.TICK_MILLIS;
        broker.deliver();
        if ((now - BEGIN) % LINGER_MILLIS == 0) {
            events();
        }
        for (VirtualInstance instance : instances) {
            instance.tick(now, heartbeats.values());
        }
    }

    private void events() {
        long until = (now - BEGIN) * scenario.eventsPerSecond() / 1_000;
        for (; events < until; events++) {
            int partition = (int) (events % scenario.partitions());
            long time = BEGIN + events * 1_000 / scenario.eventsPerSecond();
            instances.get(scenario.instanceOf(partition)).event(partition, event(time));
        }
    }

    private RequestEvent event(long time) {
        int caller = scenario.callers().next(random);
        try {
            return format.read(text.next(time, caller, EventText.caller(caller)));
        } catch (MalformedRecord e) {
            throw new IllegalStateException(e);
        }
    }

    private void agentHeartbeats() {
        var beat = new AgentHeartbeat(
                "service-1-7f9c5d-4x2vq",
                "service-1",
                Freshness.FRESH,
                12,
                1_234_567,
                1_234,
                0,
                now,
                Map.of(),
                Map.of(),
                true,
                List.of(),
                List.of(),
                4_503_599_627_370_496L);
        // each agent writes one of them every few seconds, in a batch of its own
        broker.appendAlike(
                Topic.AGENTS,
                AgentHeartbeatJson.key(beat.agent()),
                AgentHeartbeatJson.write(beat),
                now,
                scenario.agents() / AGENT_HEARTBEAT_SECONDS);
    }

    @Override
    public void record(Topic topic, int partition, byte[] key, byte @Nullable [] value) {
        try {
            switch (topic) {
                case USAGE -> {
                    if (value != null) {
                        instances.get(scenario.instanceOf(partition)).usage(partition, key, value);
                    }
                }
                case LOADS -> load(UsageKey.read(key), value);
                case GATE_LOCKS -> gate(value);
                default -> {}
            }
        } catch (MalformedRecord e) {
            throw new IllegalStateException(e);
        }
    }

    private void load(UsageKey key, byte @Nullable [] value) throws MalformedRecord {
        if (value == null) {
            instances.forEach(instance -> instance.forget(key));
            return;
        }
        Load load = LoadCodec.read(value);
        for (VirtualInstance instance : instances) {
            instance.load(key, load);
        }
    }

    private void gate(byte @Nullable [] value) throws MalformedRecord {
        if (value != null && GateLockJson.read(value).orElseThrow() instanceof AnalyzerHeartbeat heartbeat) {
            heartbeats.put(heartbeat.version().task(), heartbeat);
        }
    }

    private long commits() {
        return instances.stream().mapToLong(VirtualInstance::commits).sum();
    }

    private long partials() {
        return instances.stream().mapToLong(VirtualInstance::partials).sum();
    }
}
