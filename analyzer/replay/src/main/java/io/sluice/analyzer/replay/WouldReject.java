package io.sluice.analyzer.replay;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.lock.GateLock;

/**
 * How many requests a lock would have rejected. They are the log's requests, all that came, rejected ones too: no caller in a
 * log knew that the gate would have been closed, so none has backed off.
 *
 * <p>{@code block} rejects each. {@code throttle} is kept as one gate would that has the whole rate and a burst of one
 * second's. Of what {@code shed} sees, its ratio at that time is counted. A lock that only reports is counted as if it acted.
 */
final class WouldReject {
    private double rejected;
    private double unmatched;
    private double within;
    private double tokens = Double.POSITIVE_INFINITY;
    private long filled;

    /**
     * Counts a request that came while the lock was on.
     *
     * @param matched whether the policy's {@code match} selects it
     * @param over whether its subject was over then; true where unknown
     * @return how many of its requests the lock would have rejected
     */
    double add(GateLock lock, RequestEvent event, boolean matched, boolean over) {
        double part = rejectedOf(lock, event);
        rejected += part;
        unmatched += matched ? 0 : part;
        within += over ? 0 : part;
        return part;
    }

    private double rejectedOf(GateLock lock, RequestEvent event) {
        return switch (lock.mode()) {
            case THROTTLE -> event.count() - taken(lock.rate(), event);
            case SHED -> event.count() * lock.ratio();
            default -> event.count();
        };
    }

    private double taken(double rate, RequestEvent event) {
        double burst = Math.max(1, Math.floor(rate));
        double since = (event.time() - filled) / 1000.0;
        tokens = Double.isInfinite(tokens) ? burst : Math.min(burst, tokens + since * rate);
        filled = event.time();
        double taken = Math.min(Math.floor(tokens), (double) event.count());
        tokens -= taken;
        return taken;
    }

    long rejected() {
        return Math.round(rejected);
    }

    /** Of the rejected ones, those that the policy's {@code match} does not select: the lock closes more than is counted. */
    long unmatched() {
        return Math.round(unmatched);
    }

    /** Of the rejected ones, those that came while the subject was not over. */
    long within() {
        return Math.round(within);
    }
}
