package io.sluice.sidecar;

import java.io.Serial;

/** A check that can't be answered as it was asked: its message says what was found and what is needed, and repeats nothing that a client wrote. */
final class UnreadableCheckException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    UnreadableCheckException(String message) {
        // bad input is no event worth a stack trace
        super(message, null, false, false);
    }
}
