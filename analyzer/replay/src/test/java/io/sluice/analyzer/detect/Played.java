package io.sluice.analyzer.detect;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Events written down in any order and played in the order of their times; what was locked, and why. */
final class Played {
    static final long START = 1_763_700_000_000L;

    private final List<RequestEvent> events = new ArrayList<>();
    private final String policy;

    /** One policy {@code p}; the guard, which would keep half of the few callers of a test, is made wide. */
    Played(String fields) {
        policy = fields;
    }

    /** So many requests of a caller, evenly over a span of seconds, each taking so long. */
    Played calls(String caller, int requests, int fromSecond, int seconds, long micros) {
        for (int i = 0; i < requests; i++) {
            at(caller, fromSecond * 1000L + 1000L * i * seconds / requests, "/orders", 200, micros);
        }
        return this;
    }

    Played at(String caller, long millis, String route, int status, long micros) {
        events.add(new RequestEvent(
                START + millis,
                caller,
                "orders",
                route,
                "GET",
                "203.0.113.9",
                status,
                0,
                micros,
                "gateway-1",
                Outcome.ALLOWED,
                1,
                Identity.AUTHENTICATED,
                Map.of()));
        return this;
    }

    List<ReplayLock> locks() {
        events.sort(Comparator.comparingLong(RequestEvent::time));
        try (ReplayEngine engine = new ReplayEngine(policies())) {
            events.forEach(engine::add);
            return engine.locks();
        }
    }

    /** Spans in which subjects were over by the exact method. */
    List<ExactOracle.Over> overs() {
        events.sort(Comparator.comparingLong(RequestEvent::time));
        ExactOracle oracle = new ExactOracle(policies());
        events.forEach(oracle::add);
        return oracle.overs();
    }

    private PolicySet policies() {
        return TestPolicies.set(
                "{'guard':{'subjects':'100%','atLeast':1000},'policies':[{'name':'p'," + policy + "}]}");
    }
}
