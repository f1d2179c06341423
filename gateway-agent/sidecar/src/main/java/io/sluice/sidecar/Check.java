package io.sluice.sidecar;

import io.sluice.agent.Request;

/**
 * A request to check.
 *
 * @param request the request
 * @param cost the permits of limits of cost, see {@link io.sluice.agent.GateAgent#check(Request, long)}
 * @param used whether the cost has been used already: it is charged, and nothing is checked or logged
 * @param logged whether the sidecar logs it; false where the proxy publishes its own access log
 */
record Check(Request request, long cost, boolean used, boolean logged) {

    /** The header or metadata key with which a proxy states that it publishes the access log itself. */
    static final String LOG = "X-Sluice-Log";

    /**
     * Parses {@link #LOG}.
     *
     * @param values all values
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
