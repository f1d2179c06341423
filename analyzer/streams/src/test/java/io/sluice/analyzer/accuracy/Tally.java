package io.sluice.analyzer.accuracy;

import io.sluice.analyzer.exact.ExactOracle.Over;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** What a method made of many callers, beside what the exact one says of them. */
final class Tally {
    private long requests;
    private long overOnlyHere;
    private long overOnlyExactly;
    private long callersOver;
    private long falseLocks;
    private long missed;
    private long missedWhenDue;
    private double highestMissed;
    private final List<Long> delays = new ArrayList<>();
    private final List<Double> delaysInPanes = new ArrayList<>();

    void request(boolean here, boolean exactly) {
        requests++;
        overOnlyHere += here && !exactly ? 1 : 0;
        overOnlyExactly += exactly && !here ? 1 : 0;
    }

    /** A caller that was locked at this time, or never ({@code null}). */
    void caller(String name, Long lockedAt, Workload workload, Truth truth) {
        List<Over> spans = truth.spans().getOrDefault(name, List.of());
        callersOver += spans.isEmpty() ? 0 : 1;
        if (lockedAt == null) {
            if (!spans.isEmpty()) {
                miss(name, workload, truth);
            }
            return;
        }
        // of two spans in the same millisecond, the later
        Over locked = null;
        for (Over span : spans) {
            if (span.from() <= lockedAt && lockedAt <= span.lastSeen()) {
                locked = span;
            }
        }
        if (locked == null) {
            falseLocks++;
            return;
        }
        long delay = lockedAt - locked.from();
        delays.add(delay);
        delaysInPanes.add(delay / (double) workload.policy().window().paneMillis());
    }

    private void miss(String name, Workload workload, Truth truth) {
        if (truth.due().containsKey(name)) {
            missedWhenDue++;
        } else {
            missed++;
        }
        double peak = workload.peaks().get(name);
        highestMissed = Math.max(highestMissed, peak / workload.limit());
    }

    long falseLocks() {
        return falseLocks;
    }

    long missedWhenDue() {
        return missedWhenDue;
    }

    long overOnlyHere() {
        return overOnlyHere;
    }

    /** What it decided, as a line of a table without its first columns. */
    String decisions() {
        return String.format(
                Locale.ROOT,
                "%,d | %s | %s | %,d | %d | %d | %d | %s |",
                requests,
                percent(overOnlyHere),
                percent(overOnlyExactly),
                callersOver,
                falseLocks,
                missed,
                missedWhenDue,
                highestMissed == 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100 * highestMissed));
    }

    /** How late it locked, as a line of a table without its first columns. */
    String delays() {
        return String.format(
                Locale.ROOT,
                "%,d | %,d | %,d | %,d | %.2f | %.2f | %.2f |",
                delays.size(),
                part(delays, 50),
                part(delays, 99),
                part(delays, 100),
                part(delaysInPanes, 50),
                part(delaysInPanes, 99),
                part(delaysInPanes, 100));
    }

    private String percent(long part) {
        return part == 0 ? "0" : String.format(Locale.ROOT, "%.4f %%", 100.0 * part / requests);
    }

    private static <T extends Comparable<T>> T part(List<T> values, int percent) {
        Collections.sort(values);
        return values.get(Math.max(0, (values.size() * percent + 99) / 100 - 1));
    }

    /** Adds up all of a workload; {@code locked} tells when each caller was locked first. */
    static void callers(Workload workload, Truth truth, Map<String, Long> locked, Function<String, Tally> of) {
        workload.peaks().keySet().forEach(name -> of.apply(name).caller(name, locked.get(name), workload, truth));
    }
}
