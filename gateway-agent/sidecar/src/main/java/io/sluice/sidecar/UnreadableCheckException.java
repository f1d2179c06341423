package io.sluice.sidecar;

import java.io.Serial;

/** A check that cannot be answered. The message contains what was found and what is allowed, and repeats no client's text. */
final class UnreadableCheckException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    UnreadableCheckException(String message) {
        // bad input needs no stack trace
        super(message, null, false, false);
    }
}
