package io.sluice.contract.policy;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.event.RequestEvent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request for tests; what it lacks is {@code null}. */
record Request(
        String caller,
        @Nullable String ip,
        @Nullable String service,
        @Nullable String route,
        @Nullable String method,
        Map<String, String> labels,
        Identity identity)
        implements RequestAttributes {

    static Request of(String caller) {
        return new Request(caller, null, null, null, null, Map.of(), Identity.AUTHENTICATED);
    }

    Request at(String address) {
        return new Request(caller, address, service, route, method, labels, identity);
    }

    Request on(String toService, String toRoute, String withMethod) {
        return new Request(caller, ip, toService, toRoute, withMethod, labels, identity);
    }

    Request labelled(String name, String value) {
        return new Request(caller, ip, service, route, method, Map.of(name, value), identity);
    }

    Request believed(Identity as) {
        return new Request(caller, ip, service, route, method, labels, as);
    }

    RequestEvent answered(int status) {
        return event(status, Outcome.ALLOWED);
    }

    RequestEvent rejected() {
        return event(429, Outcome.LOCKED);
    }

    private RequestEvent event(int status, Outcome outcome) {
        return new RequestEvent(
                1, caller, service, route, method, ip, status, 0, 0, null, outcome, 1, identity, labels);
    }

    @Override
    public @Nullable String label(String name) {
        return labels.get(name);
    }
}
