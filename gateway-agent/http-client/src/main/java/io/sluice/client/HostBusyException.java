package io.sluice.client;

import java.io.IOException;
import java.time.Duration;

/**
 * A call was not sent, or not sent again, because its host asked to be left alone for longer than the call may take, or
 * because too many calls wait for that host already. Nothing that the host turned away had an effect there.
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

    /** When it is of use to call that host again. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** How often this call was sent and turned away before; 0 most times. */
    public int sent() {
        return sent;
    }
}
