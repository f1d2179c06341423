package io.sluice.analyzer.recount;

/** Nobody can tell any more whether the evidence holds; the message says why, for people. */
public final class NotRecountable extends Exception {
    private static final long serialVersionUID = 1;

    public NotRecountable(String message) {
        super(message, null, false, false);
    }
}
