package io.sluice.sidecar;

import io.sluice.agent.Request;

/**
 * A question to the gate.
 *
 * @param logged whether it goes into the access log from here: not where the proxy publishes its own
 */
record Check(Request request, boolean logged) {

    /** The header or metadata key by which a proxy says that it publishes the access log itself. */
    static final String LOG = "X-Sluice-Log";

    /**
     * What {@link #LOG} says.
     *
     * @param values all that were given
     */
    static boolean logged(Iterable<String> values) throws UnreadableCheckException {
        boolean logged = true;
        for (String value : values) {
            if (!value.equals("on") && !value.equals("off")) {
                throw new UnreadableCheckException(LOG + " must be on or off");
            }
            logged = value.equals("on");
        }
        return logged;
    }
}
