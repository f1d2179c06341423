package io.sluice.analyzer.history;

import io.sluice.analyzer.window.History;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.VarintReader;
import io.sluice.contract.usage.Varints;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much a subject was admitted beyond what it may: a leaky bucket (Turner, 1986) that each admitted request raises by one
 * and that time drains, never below 0.
 *
 * <p>All requests of a pane are taken to have come at its start, where they have the longest time to drain, so the level is
 * never above the exact one, and below it by at most what drains in a pane. The newest panes are kept apart, so that a partial
 * sum that comes late, or in another order, leads to the same level. One thread.
 */
public final class Debt implements History {
    /** So many panes are kept apart at most; what is older still does not count. */
    private static final int MOST_PANES = 600;

    /** Its objects without its panes. */
    private static final long EMPTY_BYTES = 88;

    /** An entry of the tree and its two numbers. */
    private static final long PANE_BYTES = 88;

    private long settled = Long.MIN_VALUE;
    private double level;
    private final TreeMap<Long, Long> panes = new TreeMap<>();

    /**
     * How fast a debt is paid.
     *
     * @param paneMillis length of a pane
     * @param perMillis what drains in a millisecond, in the measure's smallest unit
     */
    public record Drain(long paneMillis, double perMillis) {}

    /**
     * Adds what was admitted in a pane.
     *
     * @param latePanes how many panes behind the newest something may still come
     */
    public void add(Drain drain, long pane, long admitted, long latePanes) {
        if (panes.isEmpty() && settled == Long.MIN_VALUE) {
            settled = pane;
        }
        if (pane < settled) {
            // the first pane seen is not always the first: until anything was settled the start can move back
            if (level > 0 || newest() - pane > keep(latePanes)) {
                return;
            }
            settled = pane;
        }
        panes.merge(pane, admitted, Debt::saturatedSum);
        settle(drain, newest() - keep(latePanes));
    }

    /** Partials come from a topic: two forged ones must not add up to less than one of them. */
    private static long saturatedSum(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
    }

    private static long keep(long latePanes) {
        return Math.min(latePanes, MOST_PANES);
    }

    private long newest() {
        return panes.isEmpty() ? settled : panes.lastKey();
    }

    /** Nothing will come any more for panes before this one. */
    private void settle(Drain drain, long before) {
        while (!panes.isEmpty() && panes.firstKey() < before) {
            Map.Entry<Long, Long> pane = panes.pollFirstEntry();
            level = drained(drain, level, pane.getKey() - settled) + pane.getValue();
            settled = pane.getKey();
        }
    }

    private static double drained(Drain drain, double level, long forPanes) {
        return Math.max(0, level - forPanes * drain.paneMillis * drain.perMillis);
    }

    /** The level at a time that is not before the newest pane, in the measure's smallest unit. */
    public double level(Drain drain, long time) {
        double sum = level;
        long last = settled;
        for (Map.Entry<Long, Long> pane : panes.entrySet()) {
            sum = drained(drain, sum, pane.getKey() - last) + pane.getValue();
            last = pane.getKey();
        }
        long elapsed = Math.max(0, time - last * drain.paneMillis);
        return Math.max(0, sum - elapsed * drain.perMillis);
    }

    @Override
    public byte[] encode() {
        byte[] to = new byte[Varints.LONGEST * (3 + 2 * panes.size())];
        int at = Varints.put(to, 0, Math.max(0, settled));
        at = Varints.put(to, at, Double.doubleToLongBits(level));
        at = Varints.put(to, at, panes.size());
        long before = settled;
        for (Map.Entry<Long, Long> pane : panes.entrySet()) {
            at = Varints.put(to, at, pane.getKey() - before);
            at = Varints.put(to, at, pane.getValue());
            before = pane.getKey();
        }
        return Arrays.copyOf(to, at);
    }

    @Override
    public long bytes() {
        return EMPTY_BYTES + PANE_BYTES * panes.size();
    }

    /** Reads what {@link #encode} wrote. */
    public static Debt decode(byte[] bytes) throws MalformedRecord {
        VarintReader in = new VarintReader(bytes, 0);
        Debt debt = new Debt();
        debt.settled = in.next("debt.settled");
        debt.level = Double.longBitsToDouble(in.next("debt.level", Double.doubleToLongBits(Double.MAX_VALUE)));
        int size = (int) in.next("debt.panes", MOST_PANES + 1L);
        long pane = debt.settled;
        for (int i = 0; i < size; i++) {
            pane += in.next("debt.pane");
            debt.panes.put(pane, in.next("debt.admitted"));
        }
        in.end("debt");
        return debt;
    }
}
