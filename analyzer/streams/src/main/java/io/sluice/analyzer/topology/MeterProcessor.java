package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.decide.Epoch;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.meter.Meter;
import io.sluice.contract.event.Field;
import io.sluice.contract.policy.PolicyFields;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task of the meter: access logs in; usage partials and positions out. It commits and publishes how far it has read. */
final class MeterProcessor implements ProcessorPerTask.Ticking {
    /** A commit's burst stays bounded, however fast events come. */
    private static final long COMMIT_EVENTS = 50_000;

    /** Time from one number of active subjects to the next. */
    private static final long ACTIVE_NANOS = 1_000_000_000L;

    private static final Bytes EPOCH = Bytes.wrap("epoch".getBytes(StandardCharsets.UTF_8));

    private static final Logger log = LoggerFactory.getLogger(MeterProcessor.class);

    private final Parts parts;
    private final String name;
    private final ProcessorContext<Object, Object> context;
    private final Map<String, Source> sources = new HashMap<>();
    private final ThreadCommits commits;
    private final CombinerStore combiner;
    private final Meter meter;
    private final LoadBook.Changes watches;
    private final UsageOut usage;
    private final Counts counts;
    private @Nullable PolicySet policies;
    private final ThreadPositions positions;
    private final LoadSink loads;
    private long announced = ReadPositions.UNKNOWN;
    /** The position up to which all partials had left at the last commit. */
    private long flushed = ReadPositions.UNKNOWN;
    /** Whether a record was read, or anything sent, since the last commit. */
    private boolean uncommitted;

    private int behind;

    private long lastActive;

    private record Source(Ingest ingest, ReadPositions.Reader reader, CommitSpan span) {}

    MeterProcessor(
            Parts parts, ProcessorContext<Object, Object> context, ThreadCommits commits, ThreadPositions positions) {
        this.parts = parts;
        this.positions = positions;
        loads = new LoadsOut(context, Names.POSITIONS_OUT);
        this.commits = commits;
        this.context = context;
        int task = context.taskId().partition();
        name = "meter-" + task;
        EventTimes times = new EventTimes(parts.rules().skew(), parts.rules().lateness());
        counts = parts.tallies().of(name);
        meter = new Meter(
                task, parts.meters(), parts.callerSpread(), times, parts.fleet().heap(), counts, parts.hash());
        meter.begin(nextEpoch());
        watches = parts.fleet().loads().changes(WatchKeys::is);
        usage = new UsageOut(task, parts.partitions(), this::forward);
        for (Parts.Requests topic : parts.requests()) {
            if (task < topic.partitions()) {
                sources.put(
                        topic.topic(),
                        new Source(
                                new Ingest(parts, topic, name, context, times, meter),
                                parts.positions().reader(topic.topic(), task),
                                CommitSpan.of(parts, commits, commits.requests())));
            }
        }
        lastActive = parts.nanoTime().getAsLong() - ACTIVE_NANOS;
        combiner = context.getStateStore(Names.METER_COMBINER);
        combiner.beforeCommit(context, commits, this::leave, this::discard);
    }

    private long nextEpoch() {
        KeyValueStore<Bytes, byte[]> store = context.getStateStore(Names.METER_EPOCH);
        byte[] stored = store.get(EPOCH);
        if (stored != null && !Epoch.readable(stored)) {
            counts.add(Count.UNREADABLE);
            log.warn(
                    "{}: store {}: the epoch can't be read and is passed over; the new one follows the published position and the clock",
                    name,
                    Names.METER_EPOCH);
        }
        long epoch = Epoch.next(
                Epoch.read(stored),
                // decide tasks refuse what is of an earlier epoch than the published position
                Math.max(
                        Epoch.NONE,
                        parts.fleet()
                                .positions()
                                .snapshot()
                                .epoch(context.taskId().partition())),
                parts.wallClock().getAsLong());
        store.put(EPOCH, ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
        return epoch;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        commits.working();
        RecordMetadata origin = context.recordMetadata().orElseThrow();
        Source source = sources.get(origin.topic());
        if (source == null) {
            throw new IllegalStateException("no source reads " + origin.topic() + "-" + origin.partition());
        }
        uncommitted = true;
        followPolicies();
        source.ingest.take(record, origin);
        source.reader.handled(origin.offset(), record.timestamp());
        meter.drainFull(this::send);
        if (source.span.reached(record.timestamp()) || meter.pending() >= COMMIT_EVENTS) {
            context.commit();
        }
    }

    @Override
    public void tick() {
        commits.working();
        followPolicies();
        followWatches();
        if (meter.drainHeavy(this::send)) {
            announcePosition();
        }
        long nanoTime = parts.nanoTime().getAsLong();
        if (nanoTime - lastActive >= ACTIVE_NANOS) {
            lastActive = nanoTime;
            countBehind((int) sources.values().stream()
                    .filter(source -> CommitSpan.isBehind(
                            source.reader.position(), parts.fleet().clock().now(nanoTime), parts.rules()))
                    .count());
            meter.drainActive(usage);
            parts.tallies().subjects(name, new Tallies.MeterSubjects(meter.known(), meter.watched()));
        }
        usage.leave();
        publishPosition();
        // in transactions, nothing is seen before a commit
        if ((uncommitted || !commits.doubles()) && commits.due(patience())) {
            context.commit();
        }
    }

    /**
     * Publishes the position up to which the broker has all partials: that of the last commit, or, where nothing came since and commits would
     * have followed, what was read by now.
     */
    private void publishPosition() {
        boolean idle = !uncommitted && commits.due(parts.rules().commit());
        long position = idle ? position() : flushed;
        if (commits.doubles() && position >= 0) {
            positions.reached(this, meter.position(position), loads);
            // an idle thread commits too rarely for tasks that read positions from their partitions
            if (idle && !parts.fleet().allFollowPositions()) {
                announcePosition();
            }
        }
    }

    private void followWatches() {
        boolean before = meter.spreadExceeded();
        watches.drain((key, watch) -> {
            // an old one that is not withdrawn yet does no harm to a subject, but to a spread
            if (!WatchKeys.isSpread(key) || watch.asOf() > parts.wallClock().getAsLong()) {
                meter.watch(WatchKeys.subject(key), watch.asOf());
            }
        });
        if (meter.spreadExceeded() && !before) {
            log.warn(
                    "a caller's requests lie in more partitions than the {} that sources.N.spread allows: correct the setting;"
                            + " until then all {} are assumed",
                    parts.callerSpread(),
                    parts.meters());
        }
    }

    /** Counts the logs of requests that are behind. */
    private void countBehind(int count) {
        commits.requests().addBehind(count - behind);
        behind = count;
    }

    private long patience() {
        long least = parts.rules().longestCommit();
        for (Source source : sources.values()) {
            least = Math.min(least, source.span.patience(source.reader.position()));
        }
        return least;
    }

    /** Everything leaves: the task is about to commit what it has read. */
    private void leave() {
        meter.drainAll(this::send);
        announcePosition();
        usage.leave();
        sources.values().forEach(source -> source.span.committed());
        flushed = position();
        uncommitted = false;
    }

    private void send(UsageKey key, UsagePartial partial) {
        counts.add(Count.PARTIALS);
        usage.partial(key, partial);
    }

    private void discard() {
        meter.discard();
        usage.discard();
    }

    private void announcePosition() {
        long position = position();
        // no time lies before epoch 0, whatever a format returns
        if (position >= 0 && (position > announced || usage.awaitsPosition())) {
            announced = position;
            usage.position(meter.position(position), parts.fleet()::followsPositions);
        }
    }

    private long position() {
        long position = Long.MAX_VALUE;
        for (Source source : sources.values()) {
            position = Math.min(position, source.reader.position());
        }
        return position;
    }

    private void forward(byte[] key, UsageOut.Bundle bundle) {
        uncommitted = true;
        context.forward(new Record<>(key, bundle, context.currentSystemTimeMs()), Names.USAGE_OUT);
    }

    // compared at every record: new policies are another object, whatever they contain
    @SuppressWarnings("ReferenceEquality")
    private void followPolicies() {
        PolicySet latest = parts.fleet().policies();
        if (latest != null && latest != policies) {
            policies = latest;
            meter.policies(latest);
            Set<Field> fields = PolicyFields.of(latest);
            sources.values().forEach(source -> {
                source.ingest.wanting(fields);
                source.span.policies(latest);
            });
        }
    }

    @Override
    public void close() {
        combiner.afterClose();
        countBehind(0);
        watches.close();
        positions.part(this);
        meter.close();
        parts.tallies().left(name);
        sources.values().forEach(source -> source.reader.close());
    }
}
