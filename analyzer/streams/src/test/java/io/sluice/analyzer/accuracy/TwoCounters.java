package io.sluice.analyzer.accuracy;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import java.util.HashMap;
import java.util.Map;

/**
 * The approximation that Cloudflare published in 2017: a counter for the current window of the clock and one for the last.
 * The last one's is taken to have come evenly, and counts with the part of it that the sliding window still covers.
 */
final class TwoCounters implements Method {
    private final long window;
    private final long limit;
    private final Measure measure;
    private final Map<String, Counters> callers = new HashMap<>();

    private static final class Counters {
        private long number;
        private long current;
        private long last;
    }

    TwoCounters(Policy policy, long limit) {
        this.window = policy.window().millis();
        this.measure = policy.measure();
        this.limit = limit;
    }

    @Override
    public boolean over(RequestEvent request) {
        if (request.rejected() || request.identity() == Identity.CLAIMED) {
            return false;
        }
        Counters counters = callers.computeIfAbsent(request.caller(), any -> new Counters());
        long number = request.time() / window;
        if (number != counters.number) {
            counters.last = number == counters.number + 1 ? counters.current : 0;
            counters.current = 0;
            counters.number = number;
        }
        counters.current += amount(request);
        double covered = 1 - request.time() % window / (double) window;
        return counters.last * covered + counters.current > limit;
    }

    private long amount(RequestEvent request) {
        if (measure instanceof Measure.Bytes) {
            return request.bytes();
        }
        return measure instanceof Measure.Millis ? request.micros() : request.count();
    }
}
