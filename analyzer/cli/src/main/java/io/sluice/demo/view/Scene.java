package io.sluice.demo.view;

import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.story.Reaction;
import io.sluice.demo.traffic.Rates;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * The screen at one moment.
 *
 * @param elapsed since the traffic began, milliseconds
 * @param total how long it will go on, milliseconds
 * @param now epoch milliseconds
 * @param act what is going on, in a few words
 * @param rates what each caller does a second
 */
public record Scene(
        long elapsed,
        long total,
        long now,
        String act,
        List<URI> gateways,
        Map<String, Rates.Rate> rates,
        List<SeenLock> locks,
        List<Reaction> reactions) {

    /** Returns whether a gate is closed. */
    public boolean locked(String caller) {
        return locks.stream().anyMatch(lock -> lock.caller().equals(caller) && lock.holds(now));
    }
}
