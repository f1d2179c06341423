package io.sluice.contract.topic;

import java.time.Duration;

/** The pause before the next try: 100 ms at first, doubled after each, at most 5 s. */
final class RetryPause {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private Duration next = FIRST;

    /** Returns the pause to make now. */
    Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return now;
    }

    /** Begins with the first pause again. */
    void reset() {
        next = FIRST;
    }
}
