package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.decide.LockSink;
import io.sluice.analyzer.decide.TransitionBudget;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import java.util.List;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Output of a decide task: gate locks and heartbeats, each to its own partition, and transitions to the decision log. One thread. */
final class DecisionsOut implements LockSink {
    private final ProcessorContext<Object, Object> context;
    private final int partition;
    private final Tallies tallies;
    private final Counts counts;
    private final TransitionBudget budget = new TransitionBudget();

    DecisionsOut(ProcessorContext<Object, Object> context, int partition, Tallies tallies, Counts counts) {
        this.counts = counts;
        this.context = context;
        this.partition = partition;
        this.tallies = tallies;
    }

    void heartbeat(AnalyzerHeartbeat heartbeat) {
        forward(GateKeys.of(heartbeat), heartbeat);
    }

    @Override
    public void lock(GateLock lock) {
        forward(GateKeys.of(lock), lock);
    }

    @Override
    public void transition(LockTransition transition) {
        GateLock lock = transition.lock();
        if (transition.event() == LockTransition.Event.OPENED && lock.evidence() != null) {
            tallies.decided(lock.evidence().decided() - lock.evidence().crossed());
        }
        LockLog.tell(transition);
        LockTransition recorded = budget.admitted(transition);
        byte[] value = recorded == null ? null : DecisionJson.write(recorded);
        if (recorded == null || value == null || value.length > BoundedJson.MAX_BYTES) {
            counts.add(Count.UNRECORDED);
            return;
        }
        context.forward(
                new Record<>(CompositeKey.bytes(DecisionJson.key(recorded)), value, context.currentSystemTimeMs()),
                Names.DECISIONS_OUT);
    }

    @Override
    public void tombstone(String policy, List<String> subject) {
        forward(GateKeys.key(policy, subject), null);
    }

    private void forward(List<String> key, @Nullable GateRecord record) {
        context.forward(
                new Record<>(
                        new GateKey(partition, CompositeKey.bytes(key)),
                        record == null ? null : GateLockJson.write(record),
                        context.currentSystemTimeMs()),
                Names.GATE_LOCKS_OUT);
    }
}
