package io.sluice.analyzer;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import java.util.Map;

/** Request events with what a test cares for. */
public final class TestEvents {
    private TestEvents() {}

    public static RequestEvent admitted(String caller, long time) {
        return event(caller, "orders", time, 200, 0, 0, Outcome.ALLOWED, 1, Identity.AUTHENTICATED);
    }

    public static RequestEvent admitted(String caller, String service, long time) {
        return event(caller, service, time, 200, 0, 0, Outcome.ALLOWED, 1, Identity.AUTHENTICATED);
    }

    public static RequestEvent costing(String caller, long time, long bytes, long micros) {
        return event(caller, "orders", time, 200, bytes, micros, Outcome.ALLOWED, 1, Identity.AUTHENTICATED);
    }

    public static RequestEvent rejected(String caller, long time, long count) {
        return event(caller, "orders", time, 429, 0, 0, Outcome.LOCKED, count, Identity.AUTHENTICATED);
    }

    public static RequestEvent claimed(String caller, long time) {
        return event(caller, "orders", time, 200, 0, 0, Outcome.ALLOWED, 1, Identity.CLAIMED);
    }

    public static RequestEvent withStatus(String caller, long time, int status, Outcome outcome) {
        return event(caller, "orders", time, status, 0, 0, outcome, 1, Identity.AUTHENTICATED);
    }

    private static RequestEvent event(
            String caller,
            String service,
            long time,
            int status,
            long bytes,
            long micros,
            Outcome outcome,
            long count,
            Identity identity) {
        return new RequestEvent(
                time,
                caller,
                service,
                "/orders/{id}",
                "GET",
                "203.0.113.9",
                status,
                bytes,
                micros,
                "gateway-1",
                outcome,
                count,
                identity,
                Map.of());
    }
}
