package io.sluice.benchmarks.growth;

import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.workload.Callers;
import io.sluice.benchmarks.workload.PacedLog;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The points that are measured. All differ in one thing from the base: one policy over a minute in fifty panes (ten
 * seconds can't be cut into sixty of whole milliseconds), 100,000 callers by Zipf's law, four partitions.
 */
final class Axes {
    static final int MOST_POLICIES = 20;

    private static final int PANES = 50;
    private static final int CALLERS = 100_000;
    private static final int PARTITIONS = 4;
    private static final double S = 1.1;
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long DAY = 24 * 60 * MINUTE;
    /** A caller is over when it makes one in fifty of all requests. */
    private static final long OVER = 50;

    private final Scale scale;
    private final long events;
    /** From the first event to the last: a minute is filled when half of the log is read. */
    private final long span = 120 * SECOND;

    private final Point base;

    Axes(Scale scale) {
        this.scale = scale;
        events = scale.choose(800_000L, 12_000_000L);
        base = new Point(
                "base", log("base", PARTITIONS, span, Callers.zipf(CALLERS, S)), policy("1m", MINUTE, span, PANES));
    }

    Point base() {
        return base;
    }

    /** At one pace, as a service has it: the longer the window, the less of it the log fills. */
    List<Point> windows() {
        Point day = new Point("window of 24 h", base.log(), policy("24h", DAY, span, PANES));
        Point seconds = new Point("window of 10 s", base.log(), policy("10s", 10 * SECOND, span, PANES));
        return scale.choose(List.of(base, day), List.of(seconds, base, day));
    }

    /** At a pace by which the log is two windows long, whatever that is: only the length differs. */
    List<Point> filled() {
        return scale.choose(List.of(), List.of(filled("10s", 10 * SECOND), filled("24h", DAY)));
    }

    private Point filled(String window, long millis) {
        return new Point(
                "filled window of " + window,
                log("filled-" + window, PARTITIONS, 2 * millis, Callers.zipf(CALLERS, S)),
                policy(window, millis, 2 * millis, PANES));
    }

    List<Point> panes() {
        Point few = new Point("10 panes", base.log(), policy("1m", MINUTE, span, 10));
        Point many = new Point("600 panes", base.log(), policy("1m", MINUTE, span, 600));
        return scale.choose(List.of(base, many), List.of(few, base, many));
    }

    List<Point> callers() {
        Point few = callers(1_000);
        Point million = callers(1_000_000);
        return scale.choose(List.of(base, million), List.of(few, base, million, callers(10_000_000)));
    }

    private Point callers(int callers) {
        String text = callers < 1_000_000 ? callers / 1_000 + "k" : callers / 1_000_000 + "M";
        return new Point(
                text + " callers", log("callers-" + text, PARTITIONS, span, Callers.zipf(callers, S)), base.policies());
    }

    /** The worst that can come: ten million callers, and hardly one that comes twice. */
    List<Point> strangers() {
        PacedLog log = log("strangers", PARTITIONS, span, Callers.uniform(10_000_000));
        return scale.choose(List.of(), List.of(new Point("10M callers, uniform", log, base.policies())));
    }

    List<Point> counting() {
        Point most = new Point("20 policies", base.log(), GrowingPolicies.counting(MOST_POLICIES));
        Point five = new Point("5 policies", base.log(), GrowingPolicies.counting(5));
        return scale.choose(List.of(most), List.of(five, most));
    }

    List<Point> forRoutes() {
        return scale.choose(
                List.of(),
                List.of(new Point("20 policies, 19 for routes", base.log(), GrowingPolicies.forRoutes(MOST_POLICIES))));
    }

    List<Point> partitions() {
        return scale.choose(List.of(), List.of(partitions(1), base, partitions(16)));
    }

    private Point partitions(int partitions) {
        return new Point(
                partitions + " partitions",
                log("partitions-" + partitions, partitions, span, Callers.zipf(CALLERS, S)),
                base.policies());
    }

    /** Each once. */
    List<Point> all() {
        Set<Point> all = new LinkedHashSet<>();
        all.add(base);
        all.addAll(windows());
        all.addAll(filled());
        all.addAll(panes());
        all.addAll(callers());
        all.addAll(strangers());
        all.addAll(counting());
        all.addAll(forRoutes());
        all.addAll(partitions());
        Set<String> names = new LinkedHashSet<>();
        List<Point> once = new ArrayList<>(all);
        once.removeIf(point -> !names.add(point.name()));
        return once;
    }

    private PacedLog log(String topic, int partitions, long millis, Callers callers) {
        return new PacedLog(topic, partitions, events, millis, 1, callers);
    }

    private String policy(String window, long millis, long logMillis, int panes) {
        return GrowingPolicies.one(window, panes, events * millis / logMillis / OVER);
    }
}
