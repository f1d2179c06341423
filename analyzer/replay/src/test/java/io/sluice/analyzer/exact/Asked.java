package io.sluice.analyzer.exact;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import java.util.List;
import java.util.Map;

/** An oracle with one policy {@code p}, and short words for events and questions. */
final class Asked {
    final ExactOracle oracle;

    private Asked(String policies) {
        oracle = new ExactOracle(TestPolicies.set(policies));
    }

    /** Policy {@code p} of a window of ten seconds, per caller unless {@code more} says otherwise. */
    static Asked lock(String more, String lock) {
        String per = more.contains("'per'") ? "" : "'per':['caller'],";
        return new Asked("{'policies':[{'name':'p','window':'10s'," + per + more + "'lock':{" + lock + "}}]}");
    }

    static Asked when(String more, String condition) {
        return lock(more, "'when':[{" + condition + "}]");
    }

    static Asked set(String policies) {
        return new Asked(policies);
    }

    static Event at(long time, String caller) {
        return new Event(time, caller, "orders", 200, 0, 0, Outcome.ALLOWED, 1, Identity.AUTHENTICATED, 0);
    }

    Asked add(Event... events) {
        for (Event event : events) {
            oracle.add(event.toRequest());
        }
        return this;
    }

    /** So many events of a caller at one time. */
    Asked add(int times, Event event) {
        for (int i = 0; i < times; i++) {
            add(event);
        }
        return this;
    }

    Reading of(String... subject) {
        return oracle.reading("p", List.of(subject)).orElseThrow();
    }

    boolean over(String... subject) {
        return of(subject).over();
    }

    List<Over> overs() {
        return oracle.overs();
    }

    record Event(
            long time,
            String caller,
            String service,
            int status,
            long bytes,
            long micros,
            Outcome outcome,
            long count,
            Identity identity,
            long cost) {
        Event of(String other) {
            return new Event(time, caller, other, status, bytes, micros, outcome, count, identity, cost);
        }

        Event status(int other) {
            return new Event(time, caller, service, other, bytes, micros, outcome, count, identity, cost);
        }

        Event bytes(long other) {
            return new Event(time, caller, service, status, other, micros, outcome, count, identity, cost);
        }

        Event micros(long other) {
            return new Event(time, caller, service, status, bytes, other, outcome, count, identity, cost);
        }

        Event rejected() {
            return new Event(time, caller, service, 429, bytes, micros, Outcome.LOCKED, count, identity, cost);
        }

        Event count(long other) {
            return new Event(time, caller, service, status, bytes, micros, outcome, other, identity, cost);
        }

        Event claimed() {
            return new Event(time, caller, service, status, bytes, micros, outcome, count, Identity.CLAIMED, cost);
        }

        Event cost(long other) {
            return new Event(time, caller, service, status, bytes, micros, outcome, count, identity, other);
        }

        RequestEvent toRequest() {
            return new RequestEvent(
                    time,
                    caller,
                    service,
                    "/r",
                    "GET",
                    "203.0.113.9",
                    status,
                    bytes,
                    micros,
                    null,
                    outcome,
                    count,
                    identity,
                    Map.of(),
                    cost);
        }
    }
}
