package io.sluice.benchmarks.memory;

import io.sluice.agent.verdict.Verdict;
import io.sluice.benchmarks.gate.OurGate;
import io.sluice.benchmarks.measure.Child;
import io.sluice.contract.lock.Mode;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** The child: fills its heap with a million of something, and tells how many bytes each took. */
final class Entries {
    static final String BYTES = "bytes";
    private static final int ENTRIES = 1_000_000;
    // what is held for a thousand already is no cost of the entries: classes, clocks, the empty tables
    private static final int BEFORE = 1000;
    private static final int COLLECTIONS = 3;
    // events from one commit of the analyzer to the next
    private static final int COMMITTED = 50_000;

    private Entries() {}

    public static void main(String... arguments) {
        Child.endWithParent();
        Filler filler = filler(Holding.valueOf(arguments[0]));
        try {
            filler.fill(0, BEFORE);
            long before = used();
            filler.fill(BEFORE, ENTRIES);
            Child.tell(BYTES, each(before, used(), ENTRIES - BEFORE));
        } finally {
            Reference.reachabilityFence(filler);
        }
    }

    /** Bytes an entry. */
    static double each(long before, long after, int entries) {
        return (after - before) / (double) entries;
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private interface Filler {
        void fill(int from, int to);
    }

    private static Filler filler(Holding holding) {
        return switch (holding) {
            case LOCKS -> locks(Entries::name);
            case UUID_LOCKS -> locks(Entries::uuid);
            case LIMITERS -> limiters(Entries::name);
            case UUID_LIMITERS -> limiters(Entries::uuid);
            case WINDOWS -> windows(1);
            case WINDOWS_OF_TEN -> windows(10);
            case LOCK_RECORDS ->
                into(new ConcurrentHashMap<>(), number -> new LockRecord(Mode.BLOCK, 0, 0, number, number));
            case LIMITER_RECORDS ->
                into(new ConcurrentHashMap<>(), number -> new LimiterRecord("plans", new AtomicLong(number)));
        };
    }

    private static Filler locks(IntFunction<String> names) {
        OurGate gate = OurGate.forLocks();
        return (from, to) -> {
            for (int i = from; i < to; i++) {
                gate.lock(names.apply(i));
            }
        };
    }

    private static Filler limiters(IntFunction<String> names) {
        OurGate gate = OurGate.forLimits();
        return (from, to) -> {
            for (int i = from; i < to; i++) {
                expectAllowed(gate.check(OurGate.request(names.apply(i))));
            }
        };
    }

    private static Filler windows(int panes) {
        OurWindows windows = new OurWindows(ENTRIES, panes);
        return (from, to) -> {
            for (int i = from; i < to; i++) {
                windows.count(name(i));
                if (i % COMMITTED == 0) {
                    windows.commit();
                }
            }
            windows.commit();
            if (windows.held() != to) {
                throw new IllegalStateException(windows.held() + " windows are held, and not " + to);
            }
        };
    }

    private static <T> Filler into(Map<String, T> map, IntFunction<T> maker) {
        return (from, to) -> {
            for (int i = from; i < to; i++) {
                map.put(name(i), maker.apply(i));
            }
        };
    }

    private record LockRecord(Mode mode, double rate, double ratio, long until, long leaseEnd) {}

    private record LimiterRecord(String limit, AtomicLong fullAt) {}

    private static String name(int number) {
        return "caller-" + number;
    }

    private static String uuid(int number) {
        return new UUID(number, -number).toString();
    }

    private static void expectAllowed(Verdict verdict) {
        if (!verdict.allowed()) {
            throw new IllegalStateException("a caller's first request was turned away: " + verdict);
        }
    }
}
