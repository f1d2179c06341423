package io.sluice.analyzer.accuracy;

import io.sluice.contract.event.RequestEvent;

/** A way to tell, request by request, whether a caller is over. */
interface Method {
    /** Counts a request, and says whether its caller is over now. */
    boolean over(RequestEvent request);
}
