package io.sluice.examples.servlet;

import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateServletFilter;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import jakarta.servlet.Filter;
import java.util.List;

/** The gate in front of it. */
final class Gate {
    private Gate() {}

    static Filter of(GateAgent agent) {
        // AUTHENTICATED takes the header's word: say so only when something in front has checked the key
        CallerExtraction caller = CallerExtraction.of("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), 64);
        RouteNormalizer routes = new RouteNormalizer(List.of("/orders/{order}/lines/{line}"));
        return new GateServletFilter(agent, caller, routes);
    }
}
