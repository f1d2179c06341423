package io.sluice.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighbourhoodTest {
    @Test
    @Tag("full")
    void givenAServiceCheckedByHandWhenOneCallerCrowdsThenItAloneIsRejected(@TempDir Path folder) throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                GateAgent agent = GateAgent.builder()
                        .bootstrap(neighbourhood.bootstrap())
                        .service("orders")
                        .build()) {
            Crowd.Told told = Crowd.ask(caller -> serve(agent, caller), Duration.ofMinutes(1));

            assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
            assertThat(told.noisyRejected()).isPositive();
            assertThat(told.neighboursAllowed()).isPositive();
            assertThat(told.neighboursRejected()).isZero();
        }
    }

    @Test
    void givenADoorThatLetsEverybodyInWhenTheNoisyCallerGoesOnThenThatIsSaid() {
        assertThatThrownBy(() -> Crowd.ask(caller -> true, Duration.ZERO))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("acme is still let in");
    }

    private static boolean serve(GateAgent agent, String caller) {
        Request request = agent.request(caller).route("/orders").method("GET").build();
        try (Verdict verdict = agent.check(request)) {
            agent.log(request, verdict, verdict.allowed() ? 200 : 429, 10, 1000);
            return verdict.allowed();
        }
    }
}
