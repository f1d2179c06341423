package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** One subject: its window, its detectors, of which any may hold, and when it was locked, as far as is known. */
final class ExactSubject {
    private static final int NOT_OVER = -1;

    private record Span(long from, long until) {}

    private final SlidingLog log;
    private final List<Span> locked = new ArrayList<>();
    private final List<ExactDetector> anyOf;
    /** The place among all spans of the one that is open. */
    private int open = NOT_OVER;

    /** @param detectors builds the subject's detectors; what they remember may depend on when the subject is locked */
    ExactSubject(SlidingLog log, Function<ExactSubject, List<ExactDetector>> detectors) {
        this.log = log;
        this.anyOf = detectors.apply(this);
    }

    void add(Counted event) {
        log.add(event);
        anyOf.forEach(detector -> detector.add(event));
    }

    void locked(long from, long until) {
        locked.removeIf(span -> span.from == from);
        locked.add(new Span(from, until));
    }

    boolean lockedAt(long time) {
        return locked.stream().anyMatch(span -> span.from <= time && time < span.until);
    }

    /** Returns the state of the first detector that holds; if none does, of the one that comes nearest to it. */
    Reading read(long time) {
        SlidingLog own = log.at(time);
        List<Reading> readings =
                anyOf.stream().map(detector -> detector.ask(own, time)).toList();
        return readings.stream()
                .filter(Reading::over)
                .findFirst()
                .orElseGet(() -> readings.stream()
                        .max(Comparator.comparingDouble(Reading::ratio))
                        .orElseThrow());
    }

    boolean isOpen() {
        return open != NOT_OVER;
    }

    int open() {
        return open;
    }

    void open(int place) {
        open = place;
    }

    void close() {
        open = NOT_OVER;
    }
}
