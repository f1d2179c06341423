package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.topology.ThreadPositions;
import io.sluice.analyzer.topology.UsageOut;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.function.BiConsumer;

/** A meter task in virtual time: the engine's meter, driven in the order in which the analyzer's processor drives it. Not thread-safe. */
final class VirtualMeter {
    /** Time from one number of active subjects to the next. */
    private static final long ACTIVE_MILLIS = 1_000;

    private final Meter meter;
    private final UsageOut usage;
    private final LoadBook.Changes watches;
    private final ThreadPositions positions;
    private final LoadSink loads;
    private long partials;
    private long announced = -1;
    private long flushed = -1;
    private long lastActive;
    private boolean uncommitted;

    /** @param phase milliseconds by which its numbers of active subjects come later than those of a meter that began at {@code now} */
    VirtualMeter(
            int task,
            Scenario scenario,
            PolicySet policies,
            HeapBudget heap,
            LoadBook book,
            ThreadPositions positions,
            LoadSink loads,
            BiConsumer<byte[], UsageOut.Bundle> sink,
            long now,
            long phase) {
        meter = new Meter(task, scenario.partitions(), new EventTimes(5_000, 60_000), heap, new Counts());
        meter.begin(now);
        meter.policies(policies);
        this.positions = positions;
        this.loads = loads;
        watches = book.changes(WatchKeys::is);
        usage = new UsageOut(task, scenario.partitions(), (key, bundle) -> {
            uncommitted = true;
            sink.accept(key, bundle);
        });
        lastActive = now - ACTIVE_MILLIS + phase;
    }

    /** Counts an event. */
    void event(RequestEvent event) {
        uncommitted = true;
        meter.add(event);
        meter.drainFull(this::send);
    }

    /**
     * Sends what is heavy, and publishes the position.
     *
     * @param position append time up to which the log has been read, epoch milliseconds
     * @param due whether a commit interval has passed since the last commit
     * @return whether there is something to commit
     */
    boolean tick(long now, long position, boolean due) {
        watches.drain((key, watch) -> {
            if (!WatchKeys.isSpread(key)) {
                meter.watch(WatchKeys.subject(key), watch.asOf());
            }
        });
        if (meter.drainHeavy(this::send)) {
            announce(position);
        }
        if (now - lastActive >= ACTIVE_MILLIS) {
            lastActive += ACTIVE_MILLIS;
            meter.drainActive(usage);
        }
        usage.leave();
        long published = uncommitted || !due ? flushed : position;
        if (published >= 0) {
            positions.reached(this, meter.position(published), loads);
        }
        return uncommitted;
    }

    /** Sends everything that is not held back. */
    void commit(long position) {
        meter.drainAll(this::send);
        announce(position);
        usage.leave();
        flushed = position;
        uncommitted = false;
    }

    private void announce(long position) {
        if (position > announced || usage.awaitsPosition()) {
            announced = position;
            usage.position(meter.position(position), decide -> true);
        }
    }

    private void send(UsageKey key, UsagePartial partial) {
        partials++;
        usage.partial(key, partial);
    }

    /** Number of partials sent since the start. */
    long partials() {
        return partials;
    }

    /** Number of subjects that are held back or known as loud, some in several groups of policies. */
    int known() {
        return meter.known();
    }
}
