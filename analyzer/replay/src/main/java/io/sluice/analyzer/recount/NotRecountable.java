package io.sluice.analyzer.recount;

/** The evidence cannot be checked any more; the message is the reason, for people. */
public final class NotRecountable extends Exception {
    private static final long serialVersionUID = 1;

    public NotRecountable(String message) {
        super(message, null, false, false);
    }
}
