package io.sluice.contract.json;

/**
 * A record that cannot be read. The message names the field and the place, and never repeats what was found there: a
 * payload may be hostile or secret. It is the only exception a codec of the contract throws.
 */
public final class MalformedRecord extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message field, place, and what is wrong with it */
    public MalformedRecord(String message) {
        super(message, null, false, false);
    }
}
