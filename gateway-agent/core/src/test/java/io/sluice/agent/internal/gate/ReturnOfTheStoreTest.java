package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.FaultyStrategy.Fault;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.quota.QuotaStatus.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two agents of one store, which notice at different times that it is gone and back. */
class ReturnOfTheStoreTest {
    private static final long SECOND = 1_000_000_000;
    private static final long STEP = SECOND / 20;
    private static final String POLICY =
            "{\"name\":\"callers\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":10,\"scope\":\"fleet\",\"strategy\":\"faulty\"}}";

    private final FaultyStrategy store = new FaultyStrategy();
    private final Agent one = new Agent(0);
    private final Agent other = new Agent(8 * STEP);
    private long elapsed;

    /** An agent that gets requests after a time. */
    private final class Agent {
        private final GateHarness gates = new GateHarness().policies(POLICY).fresh();
        private final StrategyClients clients = new StrategyClients(List.of(store), this::ticks, SECOND);
        private final Gatekeeper keeper = new Gatekeeper(gates.decisions, this::ticks, clients);
        private final long from;

        private Agent(long from) {
            this.from = from;
        }

        private long ticks() {
            return gates.now() + elapsed;
        }

        /** Returns how many of three requests were admitted. */
        private int ask() {
            int admitted = 0;
            for (int i = 0; elapsed >= from && i < 3; i++) {
                Request acme = Request.of("acme").service("orders").build();
                admitted += keeper.check(acme, null, 1, ticks()).allowed() ? 1 : 0;
            }
            return admitted;
        }

        private State state() {
            return clients.status().get(0).state();
        }
    }

    /** Returns how many requests both admitted in a time. */
    private int admitted(long nanos) {
        int admitted = 0;
        for (long end = elapsed + nanos; elapsed < end; elapsed += STEP) {
            admitted += one.ask() + other.ask();
        }
        return admitted;
    }

    @Test
    void agentsThatReturnOneAfterTheOther_admitTheBurstOnce() {
        store.fault = Fault.ERROR;
        int whileAway = admitted(SECOND);
        store.fault = Fault.NONE;
        int whenBack = admitted(10 * SECOND);

        assertThat(whileAway).isEqualTo(10);
        assertThat(whenBack).isZero();
        assertThat(one.state()).isEqualTo(State.CLOSED);
        assertThat(other.state()).isEqualTo(State.CLOSED);
        assertThat(store.used("callers[\"acme\"]")).isEqualTo(10);
    }

    @Test
    void storeThatLostItsGrants_isChargedThoseOfTheShares() {
        admitted(SECOND);
        store.fault = Fault.ERROR;
        admitted(SECOND);
        store.used.clear();
        store.fault = Fault.NONE;

        assertThat(admitted(10 * SECOND)).isZero();
    }
}
