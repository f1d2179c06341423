package io.sluice.analyzer.exact;

import java.util.function.ToLongFunction;

/** The usual service time: the baseline of microseconds over the baseline of requests, both of the last hour. */
final class ExactServiceTimes {
    private static final long HOUR = 3_600_000;

    private final ExactBaseline micros;
    private final ExactBaseline requests;

    ExactServiceTimes(long windowMillis) {
        micros = baseline(windowMillis, Counted::micros);
        requests = baseline(windowMillis, Counted::requests);
    }

    private static ExactBaseline baseline(long windowMillis, ToLongFunction<Counted> amount) {
        return new ExactBaseline(windowMillis, HOUR, () -> ExactSum.of(amount), start -> false, time -> Long.MIN_VALUE);
    }

    void add(Counted event) {
        micros.add(event);
        requests.add(event);
    }

    /** The mean of all of these but those, in microseconds; NaN when there is no baseline. */
    double meanWithout(ExactServiceTimes those, long time) {
        double otherMicros = micros.at(time).weighted() - those.micros.at(time).weighted();
        double otherRequests =
                requests.at(time).weighted() - those.requests.at(time).weighted();
        return requests.known() && otherRequests > 0 ? otherMicros / otherRequests : Double.NaN;
    }
}
