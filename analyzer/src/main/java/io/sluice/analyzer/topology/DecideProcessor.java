package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.decide.DecisionTask;
import io.sluice.analyzer.decide.Epoch;
import io.sluice.analyzer.decide.LockSink;
import io.sluice.analyzer.decide.News;
import io.sluice.analyzer.decide.TaskSettings;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Detect and decide: usage in; gate locks, heartbeats and loads out. */
final class DecideProcessor implements Processor<byte[], byte[], Object, Object>, LockSink, LoadSink {
    private static final long HEARTBEAT_NANOS = 1_000_000_000L;

    private final Parts parts;
    private final ProcessorContext<Object, Object> context;
    private final int partition;
    private final String name;
    private final Counts counts;
    private final DecisionTask task;
    private final BrokerClock clock;
    private final OperatorFeed.Subscription operators;
    /** One for each meter. */
    private final CommitSpan[] spans;

    private final CommitPace pace;

    private @Nullable PolicySet policies;
    private long lastHeartbeat;

    DecideProcessor(Parts parts, ProcessorContext<Object, Object> context, CommitPace pace) {
        this.parts = parts;
        this.pace = pace;
        this.context = context;
        partition = context.taskId().partition();
        name = "decide-" + partition;
        counts = parts.tallies().of(name);
        Parts.Rules rules = parts.rules();
        var settings = new TaskSettings(
                partition,
                parts.partitions(),
                parts.meters(),
                rules.lateness(),
                rules.skew(),
                rules.backlog(),
                rules.maxLease(),
                TaskSettings.hotWindows(Runtime.getRuntime().maxMemory(), parts.partitions()));
        task = new DecisionTask(
                settings,
                new LoggedWindows(context, counts),
                new LoggedLeases(context.getStateStore(Names.LEASES)),
                parts.fleet().loads(),
                this,
                this,
                counts);
        long epoch = Epoch.next(
                task.storedEpoch(),
                parts.fleet().highestEpoch(name),
                parts.wallClock().getAsLong());
        task.begin(epoch);
        clock = parts.fleet().taskClock(name, epoch);
        spans = Stream.generate(() -> CommitSpan.of(parts, pace))
                .limit(parts.meters())
                .toArray(CommitSpan[]::new);
        operators = parts.fleet().operators().subscribe();
        lastHeartbeat = parts.nanoTime().getAsLong() - HEARTBEAT_NANOS;
        CombinerStore combiner = context.getStateStore(Names.DECIDE_COMBINER);
        combiner.beforeCommit(context, this::leave, task::discard);
        context.schedule(Duration.ofMillis(rules.tick()), PunctuationType.WALL_CLOCK_TIME, now -> tick());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        pace.working();
        followPolicies();
        try {
            if (record.key() == null || record.value() == null) {
                throw new MalformedRecord("usage: key or value is missing");
            }
            if (UsageBundle.is(record.value())) {
                UsageBundle.read(record.value(), (key, value) -> bundled(record, key, value));
            } else {
                usage(record.key(), record.value());
            }
        } catch (MalformedRecord e) {
            deadLetter(record, e);
        }
    }

    /** One that can't be read takes no other with it. */
    private void bundled(Record<byte[], byte[]> bundle, byte[] key, byte[] value) {
        try {
            usage(key, value);
        } catch (MalformedRecord e) {
            deadLetter(bundle, e);
        }
    }

    private void usage(byte[] key, byte[] value) throws MalformedRecord {
        UsageRecord usage = UsageCodec.read(value);
        if (usage instanceof UsagePartial partial) {
            if (!partial.values().none()) {
                DistinctValues.decode(partial.values().bytes());
            }
            task.partial(UsageKey.read(key), partial, now());
        } else {
            position((MeterPosition) usage);
        }
    }

    private void deadLetter(Record<byte[], byte[]> record, MalformedRecord e) {
        counts.add(Count.DEAD_LETTERS, DeadLetter.Kind.USAGE.label());
        context.forward(
                DeadLetter.of(
                        record,
                        context.recordMetadata().orElseThrow(),
                        String.valueOf(e.getMessage()),
                        context.currentSystemTimeMs()),
                Names.BAD_USAGE_OUT);
    }

    private void position(MeterPosition position) throws MalformedRecord {
        int meter = position.origin().task();
        if (meter >= spans.length) {
            // everybody would wait for one that never reads on
            throw new MalformedRecord("usage.task: there is no such meter");
        }
        task.position(position);
        if (spans[meter].reached(position.position())) {
            context.commit();
        }
    }

    /** What is in heap is written: the task is about to commit what it has read. */
    private void leave() {
        pace.committing();
        task.flush();
        for (CommitSpan span : spans) {
            span.committed();
        }
    }

    private long now() {
        return clock.now(parts.nanoTime().getAsLong());
    }

    private void tick() {
        pace.working();
        followPolicies();
        followOperators();
        task.tick(now());
        long nanoTime = parts.nanoTime().getAsLong();
        if (nanoTime - lastHeartbeat >= HEARTBEAT_NANOS) {
            lastHeartbeat = nanoTime;
            heartbeat();
        }
    }

    private void heartbeat() {
        parts.fleet().heartbeats().forEach(task::heard);
        AnalyzerHeartbeat heartbeat = task.heartbeat(
                parts.rules().instance(),
                parts.wallClock().getAsLong(),
                parts.fleet().agents().alive(now()));
        forward(GateKeys.of(heartbeat), heartbeat);
        parts.tallies().held(name, task.held());
        parts.tallies().top(name, task.top());
    }

    // asked at every record: new policies are another object, whatever they say
    @SuppressWarnings("ReferenceEquality")
    private void followPolicies() {
        PolicySet latest = parts.fleet().policies();
        if (latest != null && latest != policies) {
            policies = latest;
            task.policies(latest);
            for (CommitSpan span : spans) {
                span.policies(latest);
            }
        }
    }

    private void followOperators() {
        OperatorFeed.Entry entry;
        while ((entry = operators.next()) != null) {
            if (entry.record() != null) {
                task.operator(entry.record(), entry.appended());
            } else if (!entry.key().get(0).startsWith("$")) {
                task.operatorGone(
                        entry.key().get(0), entry.key().subList(1, entry.key().size()));
            }
        }
    }

    @Override
    public void lock(GateLock lock) {
        forward(GateKeys.of(lock), lock);
    }

    @Override
    public void news(News news, GateLock lock) {
        if (news == News.OPENED && lock.evidence() != null) {
            parts.tallies().decided(lock.evidence().decided() - lock.evidence().crossed());
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

    @Override
    public void close() {
        operators.close();
        task.close();
        parts.tallies().left(name);
    }
}
