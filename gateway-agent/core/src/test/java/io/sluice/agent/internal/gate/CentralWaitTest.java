package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.FaultyStrategy.Fault;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Adaptive concurrency beside a limit whose store takes its time. */
final class CentralWaitTest {
    private static final Request ACME = Request.of("acme").service("orders").build();
    private static final String ADAPTIVE =
            "{\"name\":\"some\",\"per\":[\"caller\"],\"limit\":{\"algorithm\":\"concurrency\",\"adaptive\":{\"min\":2,\"max\":10}}}";

    private final FaultyStrategy store = new FaultyStrategy();
    private final GateHarness gates = new GateHarness();
    private final StrategyClients clients =
            new StrategyClients(List.of(store), gates::now, TimeUnit.MINUTES.toNanos(2));
    private final Gatekeeper keeper = new Gatekeeper(gates.decisions, gates::now, clients);

    private static String central(String measure, String limit) {
        return "{\"name\":\"callers\",\"per\":[\"caller\"]," + measure + "\"limit\":{" + limit
                + ",\"scope\":\"fleet\",\"strategy\":\"faulty\"}}";
    }

    private List<Verdict> taken() {
        List<Verdict> all = new ArrayList<>();
        for (Verdict verdict = keeper.check(ACME, gates.now());
                verdict.allowed();
                verdict = keeper.check(ACME, gates.now())) {
            all.add(verdict);
        }
        return all;
    }

    private int grownLimit() {
        gates.policies(ADAPTIVE).fresh();
        for (int round = 0; round < 20; round++) {
            taken().forEach(verdict -> verdict.close(Completion.SUCCESS));
        }
        List<Verdict> all = taken();
        all.forEach(verdict -> verdict.close(Completion.IGNORED));
        return all.size();
    }

    private Verdict answeredAfter(long millis, String... policies) {
        gates.policies(policies);
        store.fault = Fault.SILENT;
        CompletableFuture<Verdict> answered =
                keeper.checkAsync(ACME, null, 1, gates.now()).toCompletableFuture();
        gates.forward(millis);
        store.answerLate();
        return answered.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"measure\":\"cost\","})
    void theWaitForAStore_isNoSignOfOverload(String measure) {
        int grown = grownLimit();

        Verdict verdict = answeredAfter(10_000, ADAPTIVE, central(measure, "\"rate\":\"1/h\",\"burst\":10"));
        gates.forward(10);
        verdict.close();
        gates.policies(ADAPTIVE);

        assertThat(taken()).hasSize(grown);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10_000})
    void aSlowServiceAfterTheWait_isASignOfOverload(long wait) {
        int grown = grownLimit();

        Verdict verdict = answeredAfter(wait, central("", "\"rate\":\"1/h\",\"burst\":10"), ADAPTIVE);
        gates.forward(5_000);
        verdict.close();
        gates.policies(ADAPTIVE);

        assertThat(taken()).hasSizeLessThan(grown);
    }
}
