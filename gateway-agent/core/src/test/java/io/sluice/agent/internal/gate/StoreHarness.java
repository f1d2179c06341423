package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.FaultyStrategy.Fault;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.quota.QuotaStatus;
import io.sluice.agent.quota.QuotaStatus.State;
import io.sluice.agent.verdict.Verdict;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** One of two agents of a store that fails on demand. Its clock stands until the store returns; waits are real. */
final class StoreHarness {
    private static final long SECOND = 1_000_000_000;

    final FaultyStrategy store = new FaultyStrategy();
    final GateHarness gates = new GateHarness();
    private final AtomicLong skipped = new AtomicLong();
    private final StrategyClients clients;
    private final Gatekeeper keeper;

    /** @param waitNanos the longest wait for an answer */
    StoreHarness(long waitNanos, String... policies) {
        clients = new StrategyClients(List.of(store), this::ticks, waitNanos);
        keeper = new Gatekeeper(gates.decisions, this::ticks, clients);
        gates.policies(policies).fresh();
    }

    private long ticks() {
        return gates.now() + skipped.get();
    }

    /** Returns a policy whose limit of cost is counted by the store; 1 permit returns in an hour. */
    static String tokens(long burst, String more) {
        return ("{'name':'tokens','per':['caller'],'measure':'cost','limit':{'rate':'1/h','burst':" + burst + more
                        + ",'scope':'fleet','strategy':'faulty'}}")
                .replace('\'', '"');
    }

    Verdict ask(String caller, long cost) {
        return keeper.check(Request.of(caller).service("orders").build(), null, cost, ticks());
    }

    QuotaStatus status() {
        return clients.status().get(0);
    }

    /** Returns what the store was charged for a caller's tokens. */
    long tokensOf(String caller) {
        return store.used("tokens[\"" + caller + "\"]");
    }

    /** Makes the store fail until shares decide. */
    void loseStore() {
        store.fault = Fault.ERROR;
        for (int i = 0; i < 5; i++) {
            ask("opener" + i, 1);
        }
        assertThat(status().state()).isEqualTo(State.OPEN);
    }

    /** Asks until the store, which answers again, decides. */
    void returnStore() {
        store.fault = Fault.NONE;
        for (int i = 0; status().state() != State.CLOSED; i++) {
            assertThat(i).isLessThan(100);
            skipped.addAndGet(SECOND);
            ask("prober" + i, 1);
        }
    }
}
