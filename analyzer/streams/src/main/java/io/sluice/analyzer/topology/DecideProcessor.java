package io.sluice.analyzer.topology;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.decide.Epoch;
import io.sluice.analyzer.decide.TaskSettings;
import io.sluice.analyzer.decide.UsageBounds;
import io.sluice.analyzer.decide.UsageTask;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Detect and decide, timed: {@link UsageIn usage in}; {@link DecisionsOut gate locks and heartbeats out}, {@link LoadsOut loads out}. */
final class DecideProcessor implements ProcessorPerTask.Ticking, UsageIn.To {
    private static final long HEARTBEAT_NANOS = 1_000_000_000L;

    private final Parts parts;
    private final ProcessorContext<Object, Object> context;
    private final String name;
    private final UsageIn usage;
    private final UsageBounds bounds;
    private final UsageTask task;
    private final DecisionsOut out;
    private final BrokerClock clock;
    private final OperatorFeed.Subscription operators;
    private final CommitSpans spans;
    /** Where positions are published for all decide tasks; {@code null} where they come with the partials alone. */
    private final ReadPositions.@Nullable UsageReader reader;

    private final ThreadCommits commits;
    private final CombinerStore combiner;

    private @Nullable PolicySet policies;
    private MeterPositions.@Nullable Snapshot positions;
    /** The second of the monotonic clock in which the last heartbeat was written. */
    private long lastHeartbeat;
    /** Whether a record was read since the last commit. */
    private boolean read;

    DecideProcessor(Parts parts, ProcessorContext<Object, Object> context, ThreadCommits commits) {
        this.parts = parts;
        this.commits = commits;
        this.context = context;
        int partition = context.taskId().partition();
        name = AnalyzerHeartbeat.TASK + partition;
        Counts counts = parts.tallies().of(name);
        usage = new UsageIn(context, counts, parts.deadLetters(), this);
        out = new DecisionsOut(context, partition, parts.tallies(), counts);
        Parts.Rules rules = parts.rules();
        bounds = new UsageBounds(parts.meters(), rules.skew());
        var settings = new TaskSettings(
                partition,
                parts.partitions(),
                parts.meters(),
                parts.callerSpread(),
                rules.lateness(),
                rules.skew(),
                rules.backlog(),
                rules.maxLease());
        task = new UsageTask(
                settings,
                new LoggedWindows(context, counts),
                new LoggedLeases(name, context.getStateStore(Names.LEASES)),
                parts.fleet().heap(),
                parts.fleet().loads(),
                out,
                new LoadsOut(context, Names.LOADS_OUT),
                counts);
        long epoch = Epoch.next(
                task.storedEpoch(),
                parts.fleet().highestEpoch(name),
                parts.wallClock().getAsLong());
        task.begin(epoch);
        clock = parts.fleet().taskClock(name, epoch);
        spans = new CommitSpans(parts, commits);
        // in transactions, the end of a partition may be a marker that is never handled
        reader =
                commits.doubles() ? parts.positions().usageReader(parts.topics().usage(), partition) : null;
        operators = parts.fleet().operators().subscribe();
        lastHeartbeat = Math.floorDiv(parts.nanoTime().getAsLong(), HEARTBEAT_NANOS) - 1;
        combiner = context.getStateStore(Names.DECIDE_COMBINER);
        combiner.beforeCommit(context, commits, this::leave, task::discard);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        commits.working();
        read = true;
        followPolicies();
        usage.read(record);
        if (reader != null) {
            reader.handled(context.recordMetadata().orElseThrow().offset());
        }
    }

    @Override
    public void partial(UsageKey key, UsagePartial partial, long appended) throws MalformedRecord {
        bounds.check(key, partial, appended);
        task.partial(key, partial, now());
    }

    @Override
    public void position(MeterPosition position, long appended) throws MalformedRecord {
        bounds.check(position, appended);
        task.position(position);
        int meter = position.origin().task();
        long before = positions == null ? ReadPositions.UNKNOWN : positions.position(meter);
        if (spans.reached(meter, position.position(), before)) {
            context.commit();
        }
    }

    /** What is in heap is written: the task is about to commit what it has read. */
    private void leave() {
        task.flush();
        spans.committed();
        read = false;
    }

    private long now() {
        return clock.now(parts.nanoTime().getAsLong());
    }

    @Override
    public void tick() {
        commits.working();
        followPolicies();
        followOperators();
        followPositions();
        long now = now();
        parts.fleet().watchRequests().drain(key -> task.watch(key, now));
        task.tick(now);
        // the tasks of a process at the same time: their records share requests, here and wherever they are read
        long second = Math.floorDiv(parts.nanoTime().getAsLong(), HEARTBEAT_NANOS);
        if (second != lastHeartbeat) {
            lastHeartbeat = second;
            heartbeat();
            if (positions != null) {
                spans.countBehind(positions, now());
            }
        }
        // in transactions, nothing is seen before a commit, not even a heartbeat
        if ((read || !commits.doubles()) && commits.due(spans.patience())) {
            context.commit();
        }
    }

    private void followPositions() {
        MeterPositions.Snapshot passed = reader == null ? null : reader.passed();
        if (passed != null && !passed.equals(positions)) {
            positions = passed;
            task.positions(passed);
        }
    }

    private void heartbeat() {
        Fleet.Census census = parts.fleet().census(lastHeartbeat, now());
        task.fleet(census.counts());
        AnalyzerHeartbeat heartbeat = task.heartbeat(
                parts.rules().instance(),
                parts.wallClock().getAsLong(),
                census.agents(),
                census.partsAccepted(),
                reader != null,
                parts.tallies().refused(lastHeartbeat) + parts.fleet().loads().leftOut());
        out.heartbeat(heartbeat);
        parts.tallies().held(name, task.held());
        parts.tallies().top(name, task.top());
    }

    // compared at every record: new policies are another object, whatever they contain
    @SuppressWarnings("ReferenceEquality")
    private void followPolicies() {
        PolicySet latest = parts.fleet().policies();
        if (latest != null && latest != policies) {
            policies = latest;
            task.policies(latest);
            bounds.policies(latest);
            spans.policies(latest);
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
    public void close() {
        combiner.afterClose();
        operators.close();
        if (reader != null) {
            reader.close();
        }
        spans.close();
        task.close();
        parts.tallies().left(name);
    }
}
