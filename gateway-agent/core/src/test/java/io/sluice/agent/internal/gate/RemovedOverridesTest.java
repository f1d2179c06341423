package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** Memory of a policy whose overrides are replaced again and again. */
@Tag("full")
final class RemovedOverridesTest {
    private static final int DAYS = 400;
    private static final long DAY = 86_400_000;

    private static String policy(int day) {
        return ("{'name':'p','per':['caller'],'limit':{'algorithm':'concurrency','max':500},'overrides':["
                        + "{'match':{'route':'/" + day + "'},'limit':{'algorithm':'concurrency','max':2}}]}")
                .replace('\'', '"');
    }

    private static Request request(int day) {
        return Request.of("acme").service("orders").route("/" + day).build();
    }

    private static long objects(GateHarness gates) {
        return GraphLayout.parseInstance(
                        gates.decisions.rules().policies().get(0).table())
                .totalCount();
    }

    /** Requests that never end keep their limiters from being idle. */
    private static long grown(int room) {
        GateHarness gates = new GateHarness(true, room);
        long first = 0;
        for (int day = 0; day < DAYS; day++) {
            gates.policies(policy(day)).fresh();
            assertThat(gates.check(request(day)).allowed()).isTrue();
            assertThat(gates.check(request(-1)).allowed()).isTrue();
            gates.forward(DAY);
            gates.decisions.sweep(gates.now());
            if (day == 1) {
                first = objects(gates);
            }
        }
        return objects(gates) - first;
    }

    @Test
    void limitersOfRemovedOverrides_areDroppedThoughInUse() {
        assertThat(grown(1000)).isLessThan(10);
    }

    @Test
    void sharedLimitersOfRemovedOverrides_areDroppedThoughInUse() {
        assertThat(grown(0)).isLessThan(10);
    }

    @Test
    void limiterOfARemainingOverride_isKeptWhileInUse() {
        GateHarness gates = new GateHarness().policies(policy(1)).fresh();
        gates.check(request(1));
        gates.check(request(1));
        gates.policies(policy(1).replace("500", "400")).fresh();
        gates.decisions.sweep(gates.now());
        assertThat(gates.check(request(1)).allowed()).isFalse();
        assertThat(gates.check(request(2)).allowed()).isTrue();
    }
}
