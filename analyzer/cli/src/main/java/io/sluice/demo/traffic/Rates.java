package io.sluice.demo.traffic;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** Makes rates over about the last second of tallies that only grow. Not thread-safe. */
public final class Rates {
    private static final long SPAN_MILLIS = 1000;

    private final Deque<Look> looks = new ArrayDeque<>();

    private record Look(long millis, Map<String, Tally> tallies) {}

    /** Requests a second that passed and that were rejected. */
    public record Rate(double admitted, double rejected) {}

    /**
     * @param now monotonic milliseconds
     * @return what each caller does a second; nothing at the first look
     */
    public Map<String, Rate> at(long now, Map<String, Tally> tallies) {
        looks.addLast(new Look(now, tallies));
        while (looks.size() > 2 && secondOldest() <= now - SPAN_MILLIS) {
            looks.removeFirst();
        }
        Look oldest = looks.getFirst();
        Map<String, Rate> rates = new TreeMap<>();
        double seconds = (now - oldest.millis) / 1000.0;
        if (seconds > 0) {
            tallies.forEach((caller, tally) -> {
                Tally since = tally.minus(oldest.tallies.getOrDefault(caller, Tally.NOTHING));
                rates.put(caller, new Rate(since.admitted() / seconds, since.rejected() / seconds));
            });
        }
        return rates;
    }

    private long secondOldest() {
        var iterator = looks.iterator();
        iterator.next();
        return iterator.next().millis;
    }
}
