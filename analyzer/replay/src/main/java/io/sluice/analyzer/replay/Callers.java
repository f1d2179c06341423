package io.sluice.analyzer.replay;

import io.sluice.contract.event.RequestEvent;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Requests per caller. Beyond a bound new callers are counted together, so that memory is bounded. */
final class Callers {
    private static final Comparator<Map.Entry<String, CallerUse>> BUSIEST = Comparator.comparingLong(
                    (Map.Entry<String, CallerUse> entry) -> entry.getValue().requests())
            .reversed()
            .thenComparing(Map.Entry::getKey);

    private final Map<String, CallerUse> uses = new HashMap<>();
    private final int most;
    private long requests;
    private long unlisted;

    /** @param most callers that are counted one by one */
    Callers(int most) {
        this.most = most;
    }

    void add(RequestEvent event) {
        requests += event.count();
        CallerUse use = uses.get(event.caller());
        if (use == null) {
            if (uses.size() >= most) {
                unlisted += event.count();
                return;
            }
            use = new CallerUse();
            uses.put(event.caller(), use);
        }
        use.add(event.time(), event.count());
    }

    /** How many there are; at the bound there may be more. */
    int count() {
        return uses.size();
    }

    long requests() {
        return requests;
    }

    /** Requests of callers past the bound. */
    long unlisted() {
        return unlisted;
    }

    List<Caller> top(int most) {
        return listed(uses.entrySet().stream().sorted(BUSIEST).limit(most));
    }

    /** Those with more than {@code requests} requests in some 60 s. */
    List<Caller> over(long requests) {
        return listed(uses.entrySet().stream()
                .filter(entry -> entry.getValue().minutePeak() > requests)
                .sorted(BUSIEST));
    }

    /** Each caller's busiest 60 s, smallest first. */
    long[] minutePeaks() {
        return uses.values().stream().mapToLong(CallerUse::minutePeak).sorted().toArray();
    }

    /** Each caller's busiest second, smallest first. */
    long[] secondPeaks() {
        return uses.values().stream().mapToLong(CallerUse::secondPeak).sorted().toArray();
    }

    private List<Caller> listed(Stream<Map.Entry<String, CallerUse>> entries) {
        return entries.map(entry -> {
                    CallerUse use = entry.getValue();
                    double share = (double) use.requests() / requests;
                    return new Caller(
                            entry.getKey(),
                            use.requests(),
                            share,
                            use.percentile(50),
                            use.percentile(99),
                            use.minutePeak());
                })
                .collect(Collectors.toUnmodifiableList());
    }

    /**
     * A caller in numbers.
     *
     * @param share its part of all requests, 0 to 1
     * @param p50 requests in a minute, the median of the minutes in which it called
     * @param p99 the same, 99th percentile
     * @param max its busiest 60 s
     */
    record Caller(String caller, long count, double share, long p50, long p99, long max) {}
}
