package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestEvents.admitted;
import static io.sluice.analyzer.TestEvents.rejected;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.List;

/** One meter and one decide task, as they stand in the topology, with everything they say written down. */
final class Rig {
    static final long TIME = 1_763_700_000_000L;

    final Counts counts = new Counts();
    final List<GateLock> said = new ArrayList<>();
    final List<List<String>> tombstones = new ArrayList<>();
    final LeaseStore state;
    final WindowStore windows;
    final Meter meter = TestBudgets.meter(0, 1);
    final UsageTask task;
    final LoadBook book;

    Rig() {
        this(new InMemoryLeaseStore(), new InMemoryWindowStore());
    }

    /** A task that finds the state of another one. */
    Rig(LeaseStore state, WindowStore windows) {
        this(state, windows, 0, 1);
    }

    /** One of several tasks. */
    Rig(LeaseStore state, WindowStore windows, int partition, int partitions) {
        this(state, windows, TestBudgets.heap(), TaskSettings.of(partition, partitions, 1));
    }

    /** One with a budget of its own. */
    Rig(LeaseStore state, WindowStore windows, HeapBudget heap, TaskSettings settings) {
        this(state, windows, heap, new LoadBook(heap), settings);
    }

    /** A task that finds the state and the loads of another one. */
    Rig(LeaseStore state, WindowStore windows, LoadBook book, TaskSettings settings) {
        this(state, windows, TestBudgets.heap(), book, settings);
    }

    private Rig(LeaseStore state, WindowStore windows, HeapBudget heap, LoadBook book, TaskSettings settings) {
        this.state = state;
        this.windows = windows;
        this.book = book;
        LockSink locks = new LockSink() {
            @Override
            public void lock(GateLock lock) {
                said.add(lock);
            }

            @Override
            public void tombstone(String policy, List<String> subject) {
                tombstones.add(subject);
            }
        };
        LoadSink loads = new LoadSink() {
            @Override
            public void load(UsageKey group, Load load) {
                book.accept(group, load);
                if (WatchKeys.is(group)) {
                    meter.watch(WatchKeys.subject(group), load.asOf());
                }
            }

            @Override
            public void gone(UsageKey group) {
                book.forget(group);
            }
        };
        task = new UsageTask(settings, windows, state, heap, book, locks, loads, counts);
        task.begin(Epoch.next(task.storedEpoch(), Epoch.NONE, 1));
        meter.begin(1);
    }

    static Rig with(PolicySet set) {
        Rig rig = new Rig();
        rig.policies(set);
        return rig;
    }

    void policies(PolicySet set) {
        meter.policies(set);
        task.policies(set);
    }

    Rig admit(String caller, int times, long time) {
        for (int i = 0; i < times; i++) {
            meter.add(admitted(caller, time));
        }
        return passed(time);
    }

    Rig reject(String caller, int times, long time) {
        meter.add(rejected(caller, time, times));
        return passed(time);
    }

    Rig event(RequestEvent event) {
        meter.add(event);
        return passed(event.time());
    }

    /** Broker time is now this; everything before it was read. */
    Rig passed(long now) {
        return passed(now, now);
    }

    Rig passed(long now, long position) {
        meter.drainAll((key, partial) -> task.partial(key, partial, now));
        task.position(meter.position(position));
        task.tick(now);
        return this;
    }

    /** Time goes by in the steps in which locks are looked at, with a few requests each second. */
    Rig until(long from, long to, String caller, int admittedASecond, int rejectedASecond) {
        for (long now = from; now <= to; now += 250) {
            if ((now - from) % 1000 == 0) {
                if (admittedASecond > 0) {
                    admit(caller, admittedASecond, now);
                }
                if (rejectedASecond > 0) {
                    reject(caller, rejectedASecond, now);
                }
            }
            passed(now);
        }
        return this;
    }

    GateLock last() {
        return said.get(said.size() - 1);
    }
}
