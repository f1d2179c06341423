package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.decide.FleetCounts;
import io.sluice.analyzer.decide.TaskSettings;
import io.sluice.analyzer.decide.UsageTask;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A decide task in virtual time: the engine's task, driven in the order in which the analyzer's processor drives it. Not thread-safe. */
final class VirtualDecide {
    private final UsageTask task;
    private final String instance;
    private final Map<String, Integer> liveAgents;
    private final Output output;
    private long now;
    private boolean read;

    /** Takes the records of a decide task. */
    interface Output {
        void record(Topic topic, byte[] key, byte @Nullable [] value);
    }

    VirtualDecide(
            int partition,
            Scenario scenario,
            PolicySet policies,
            HeapBudget heap,
            LoadBook book,
            LoadSink loads,
            Output output,
            long now) {
        this.output = output;
        this.now = now;
        instance = "analyzer-" + scenario.instanceOf(partition);
        liveAgents = scenario.liveAgents();
        LoggedState state = new LoggedState((key, value) -> output.record(Topic.CHANGELOGS, key, value));
        task = new UsageTask(
                TaskSettings.of(partition, scenario.partitions(), scenario.partitions()),
                state.windows(),
                state.leases(),
                heap,
                book,
                new Locks(),
                loads,
                new Counts());
        task.begin(now);
        task.policies(policies);
    }

    /** Processes a record of the usage topic. */
    void usage(byte[] key, byte[] value) {
        read = true;
        try {
            if (UsageBundle.is(value)) {
                UsageBundle.read(value, this::entry);
            } else {
                entry(key, value);
            }
        } catch (MalformedRecord e) {
            throw new IllegalStateException(e);
        }
    }

    private void entry(byte[] key, byte[] value) throws MalformedRecord {
        UsageRecord usage = UsageCodec.read(value);
        if (usage instanceof UsagePartial partial) {
            task.partial(UsageKey.read(key), partial, now);
        } else {
            task.position((MeterPosition) usage);
        }
    }

    /** Takes positions up to which all partials have been processed. */
    void positions(MeterPositions.Snapshot positions) {
        task.positions(positions);
    }

    /** Evaluates what is due; returns whether there is something to commit. */
    boolean tick(long at) {
        now = at;
        task.tick(at);
        return read;
    }

    /** Writes a heartbeat, after it has taken the counts of all tasks. */
    void heartbeat(FleetCounts.Snapshot counts) {
        task.fleet(counts);
        gate(task.heartbeat(instance, now, liveAgents, true, true, 0));
    }

    /** Writes changed state to its changelogs. */
    void commit() {
        task.flush();
        read = false;
    }

    /** Number of locks that are not released. */
    int locks() {
        return task.locks();
    }

    private void gate(GateRecord record) {
        output.record(Topic.GATE_LOCKS, CompositeKey.bytes(GateKeys.of(record)), GateLockJson.write(record));
    }

    private final class Locks implements io.sluice.analyzer.decide.LockSink {
        @Override
        public void lock(GateLock lock) {
            gate(lock);
        }

        @Override
        public void transition(LockTransition transition) {
            output.record(
                    Topic.DECISIONS, CompositeKey.bytes(DecisionJson.key(transition)), DecisionJson.write(transition));
        }

        @Override
        public void tombstone(String policy, List<String> subject) {
            output.record(Topic.GATE_LOCKS, CompositeKey.bytes(GateKeys.key(policy, subject)), null);
        }
    }
}
