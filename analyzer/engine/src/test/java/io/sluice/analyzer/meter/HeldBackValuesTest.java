package io.sluice.analyzer.meter;

import static io.sluice.analyzer.TestPolicies.policies;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the partials of a subject say whose distinct values were held back. */
class HeldBackValuesTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final PolicySet POLICIES =
            policies("{'name':'p','per':['caller'],'measure':{'distinct':'route'},'window':'1m','lock':{"
                    + "'when':[{'above':100}]}}");

    private final Meter meter = TestBudgets.meter(0, 1);
    private final Map<Long, Long> sent = new TreeMap<>();

    private void call(String caller, int route, long time, long count) {
        meter.add(new RequestEvent(
                time,
                caller,
                "s",
                "/r" + route,
                "GET",
                "203.0.113.9",
                200,
                0,
                0,
                "gateway-1",
                Outcome.ALLOWED,
                count,
                Identity.AUTHENTICATED,
                Map.of(),
                0));
        if (caller.equals("acme")) {
            sent.merge(POLICIES.policies().get(0).window().paneOf(time), count, Long::sum);
        }
    }

    /** The mean number of values per request is what a rejected request weighs. */
    @Test
    void requestsOfValuesThatOccurAgain_areCountedInTheirPanes() {
        meter.policies(POLICIES);
        meter.begin(1);
        call("others", 0, TIME, 100_000_000);
        for (int second = 0; second < 50; second++) {
            for (int route = 0; route < 40; route++) {
                call("acme", route, TIME + second * 1000L, 1);
            }
        }
        // late
        call("acme", 1, TIME + 20_000, 3);
        for (int route = 40; route < 110; route++) {
            call("acme", route, TIME + 50_000, 1);
        }
        Map<Long, Long> told = new TreeMap<>();
        long[] values = new long[1];

        meter.drainAll((key, partial) -> {
            if (key.subject().equals(List.of("acme"))) {
                told.merge(partial.pane(), partial.admittedCount(), Long::sum);
                values[0] += partial.admitted();
            }
        });

        assertThat(told).isEqualTo(sent);
        assertThat(values[0]).isEqualTo(110);
    }
}
