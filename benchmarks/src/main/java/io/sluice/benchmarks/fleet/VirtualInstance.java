package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.decide.FleetCounts;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadBounds;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.topology.ThreadPositions;
import io.sluice.benchmarks.workload.PlainAnalyzer;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** An analyzer process with one thread, in virtual time. Not thread-safe. */
final class VirtualInstance {
    static final long COMMIT_MILLIS = PlainAnalyzer.COMMIT_MILLIS;
    static final long TICK_MILLIS = PlainAnalyzer.TICK_MILLIS;
    /** Time from one request for the ends of the usage partitions to the next. */
    private static final long ENDS_MILLIS = 200;

    private static final long HEARTBEAT_MILLIS = 1_000;
    /** Tasks of a process begin one after the other. */
    private static final long TASK_MILLIS = 2;
    /** No two of a hundred processes begin at the same time of a second. */
    private static final long PROCESS_MILLIS = 137;

    private final HeapBudget heap;
    private final LoadBook book;
    private final MeterPositions positions = new MeterPositions();
    private final FleetCounts counts = new FleetCounts();
    private final LoadBounds bounds;
    private final Map<Integer, VirtualMeter> meters = new LinkedHashMap<>();
    private final Map<Integer, VirtualDecide> decides = new LinkedHashMap<>();
    private MeterPositions.Snapshot asked = positions.snapshot();
    private final long phase;
    private long now;
    private long committed;
    private long lastEnds;
    private long lastHeartbeat;
    private long commits;
    private long heartbeatNanos;

    /**
     * @param number of the instance
     * @param heapBytes of the process
     * @param broker takes what it writes
     */
    VirtualInstance(
            int number, Scenario scenario, PolicySet policies, long heapBytes, VirtualBroker broker, long begin) {
        now = begin;
        phase = number * PROCESS_MILLIS % HEARTBEAT_MILLIS;
        committed = begin + phase % COMMIT_MILLIS;
        lastEnds = committed;
        heap = HeapBudget.ofHeap(heapBytes);
        counts.policies(policies);
        book = new LoadBook(heap);
        bounds = new LoadBounds(scenario.partitions(), TICK_MILLIS);
        var together = new ThreadPositions(() -> now * 1_000_000);
        LoadSink loads = new LoadSink() {
            @Override
            public void load(UsageKey group, Load load) {
                append(group, LoadCodec.write(load));
            }

            @Override
            public void gone(UsageKey group) {
                append(group, null);
            }

            private void append(UsageKey group, byte @org.jspecify.annotations.Nullable [] value) {
                byte[] key = group.bytes();
                broker.append(Topic.LOADS, number, Partitions.of(key, scenario.partitions()), key, value, now);
            }
        };
        for (int partition = number; partition < scenario.partitions(); partition += scenario.instances()) {
            int own = partition;
            meters.put(
                    own,
                    new VirtualMeter(
                            own,
                            scenario,
                            policies,
                            heap,
                            book,
                            together,
                            loads,
                            (key, bundle) ->
                                    broker.append(Topic.USAGE, number, bundle.partition(), key, bundle.bytes(), now),
                            begin,
                            (phase + meters.size() * TASK_MILLIS) % HEARTBEAT_MILLIS));
            decides.put(
                    own,
                    new VirtualDecide(
                            own,
                            scenario,
                            policies,
                            heap,
                            book,
                            loads,
                            (topic, key, value) -> broker.append(topic, number, own, key, value, now),
                            begin));
        }
    }

    /** Counts an event in the meter of its partition. */
    void event(int partition, RequestEvent event) {
        Objects.requireNonNull(meters.get(partition)).event(event);
    }

    /** Processes a record of the usage topic. */
    void usage(int partition, byte[] key, byte[] value) {
        Objects.requireNonNull(decides.get(partition)).usage(key, value);
    }

    /** Takes a record of the loads topic, which each instance follows. */
    void load(UsageKey key, Load load) throws MalformedRecord {
        if (MeterPositions.is(key)) {
            positions.accept(load, bounds, now);
        } else {
            book.accept(key, load);
        }
    }

    /** A load was withdrawn. */
    void forget(UsageKey key) {
        book.forget(key);
    }

    /** Advances to a time at which everything written before the last tick has been read. */
    void tick(long time, Collection<AnalyzerHeartbeat> heartbeats) {
        now = time;
        if (now - lastEnds >= ENDS_MILLIS) {
            lastEnds = now;
            decides.values().forEach(decide -> decide.positions(asked));
            asked = positions.snapshot();
        }
        boolean due = now - committed >= COMMIT_MILLIS;
        boolean uncommitted = false;
        for (VirtualMeter meter : meters.values()) {
            uncommitted |= meter.tick(now, now - TICK_MILLIS, due);
        }
        for (VirtualDecide decide : decides.values()) {
            uncommitted |= decide.tick(now);
        }
        long second = Math.floorDiv(now - phase, HEARTBEAT_MILLIS);
        if (second != lastHeartbeat) {
            lastHeartbeat = second;
            long began = System.nanoTime();
            heartbeats.forEach(heartbeat -> counts.heartbeat(heartbeat, now));
            FleetCounts.Snapshot counted = counts.at(now);
            decides.values().forEach(decide -> decide.heartbeat(counted));
            heartbeatNanos = System.nanoTime() - began;
        }
        if (uncommitted && due) {
            commits++;
            committed = now;
            meters.values().forEach(meter -> meter.commit(now - TICK_MILLIS));
            decides.values().forEach(VirtualDecide::commit);
        }
    }

    /** Bytes that each account of the heap budget takes. */
    Map<Account, Long> used() {
        Map<Account, Long> used = new EnumMap<>(Account.class);
        for (Account account : Account.values()) {
            used.put(account, heap.used(account));
        }
        return used;
    }

    /** The heap budget, in bytes. */
    long budget() {
        return heap.bytes();
    }

    long commits() {
        return commits;
    }

    /** Measured time that the heartbeats of the last second took all decide tasks of the process, in nanoseconds. */
    long heartbeatNanos() {
        return heartbeatNanos;
    }

    long partials() {
        return meters.values().stream().mapToLong(VirtualMeter::partials).sum();
    }

    long known() {
        return meters.values().stream().mapToLong(VirtualMeter::known).sum();
    }

    int locks() {
        return decides.values().stream().mapToInt(VirtualDecide::locks).sum();
    }
}
