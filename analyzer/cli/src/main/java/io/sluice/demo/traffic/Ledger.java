package io.sluice.demo.traffic;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts answers by caller. Thread-safe. */
public final class Ledger implements Answers {
    private static final int SERVER_ERROR = 500;

    private final Map<String, Counts> callers = new ConcurrentHashMap<>();

    private static final class Counts {
        private final LongAdder requests = new LongAdder();
        private final LongAdder rejected = new LongAdder();
        private final LongAdder timedOut = new LongAdder();
        private final LongAdder failed = new LongAdder();

        private Tally tally() {
            return new Tally(requests.sum(), rejected.sum(), timedOut.sum(), failed.sum());
        }
    }

    @Override
    public void answered(String caller, int status, long sent, long micros) {
        Counts counts = callers.computeIfAbsent(caller, name -> new Counts());
        counts.requests.increment();
        if (status == REJECTED) {
            counts.rejected.increment();
        } else if (status == TIMED_OUT) {
            counts.timedOut.increment();
        } else if (status == NONE || status >= SERVER_ERROR) {
            counts.failed.increment();
        }
    }

    /** The tallies of all callers, by name. */
    public Map<String, Tally> tallies() {
        Map<String, Tally> tallies = new TreeMap<>();
        callers.forEach((caller, counts) -> tallies.put(caller, counts.tally()));
        return tallies;
    }

    /** One caller's tally. */
    public Tally of(String caller) {
        Counts counts = callers.get(caller);
        return counts == null ? Tally.NOTHING : counts.tally();
    }

    /** All but one caller's tally. */
    public Tally others(String caller) {
        return callers.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(caller))
                .map(entry -> entry.getValue().tally())
                .reduce(Tally.NOTHING, Tally::plus);
    }
}
