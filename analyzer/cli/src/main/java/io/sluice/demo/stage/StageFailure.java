package io.sluice.demo.stage;

/** The stage can't be built; the message says in a line why, and what to do where something can be done. */
public final class StageFailure extends Exception {
    private static final long serialVersionUID = 1;

    StageFailure(String message) {
        super(message);
    }

    StageFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
