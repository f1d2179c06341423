package io.sluice.sidecar;

import io.sluice.agent.Request;
import io.sluice.contract.event.Identity;

/** Recognizes requests whose caller is unknown. */
final class UnknownCaller {
    private static final String NAME = Request.of(null).build().caller();

    private UnknownCaller() {}

    static boolean is(Request request) {
        return request.identity() == Identity.CLAIMED && request.caller().equals(NAME);
    }
}
