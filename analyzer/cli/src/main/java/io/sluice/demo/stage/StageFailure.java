package io.sluice.demo.stage;

/** The stage can't be built; the message has the reason in a line, and a remedy where there is one. */
public final class StageFailure extends Exception {
    private static final long serialVersionUID = 1;

    StageFailure(String message) {
        super(message);
    }

    StageFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
