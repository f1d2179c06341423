package io.sluice.client;

import java.io.IOException;
import java.time.Duration;

/**
 * A call was not sent, or not retried, because its host asked for a pause longer than the call may take, or because too many calls wait for
 * that host. Rejected attempts had no effect on the host.
 */
public final class HostBusyException extends IOException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;
    private final int sent;

    HostBusyException(String host, Duration retryAfter, int sent) {
        super(host + " asked to be left alone for another " + retryAfter.toMillis() + " ms"
                + (sent == 0 ? ", the call was not sent" : ", the call was sent " + sent + " times"));
        this.retryAfter = retryAfter;
        this.sent = sent;
    }

    /**
     * Returns the time after which to call the host again.
     *
     * @return 0 or more
     */
    public Duration retryAfter() {
        return retryAfter;
    }

    /**
     * Returns how many times this call was sent.
     *
     * @return 0 or more
     */
    public int sent() {
        return sent;
    }
}
