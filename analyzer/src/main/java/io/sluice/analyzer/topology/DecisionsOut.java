package io.sluice.analyzer.topology;

import io.sluice.analyzer.decide.LockSink;
import io.sluice.analyzer.decide.News;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** What a decide task publishes: gate locks and heartbeats, each to its own partition, and loads. One thread. */
final class DecisionsOut implements LockSink, LoadSink {
    private final ProcessorContext<Object, Object> context;
    private final int partition;
    private final Tallies tallies;

    DecisionsOut(ProcessorContext<Object, Object> context, int partition, Tallies tallies) {
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
    public void news(News news, GateLock lock) {
        if (news == News.OPENED && lock.evidence() != null) {
            tallies.decided(lock.evidence().decided() - lock.evidence().crossed());
        }
        LockLog.tell(news, lock);
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

    @Override
    public void load(UsageKey group, Load load) {
        context.forward(new Record<>(group, load, context.currentSystemTimeMs()), Names.LOADS_OUT);
    }

    @Override
    public void gone(UsageKey group) {
        context.forward(new Record<>(group, null, context.currentSystemTimeMs()), Names.LOADS_OUT);
    }
}
