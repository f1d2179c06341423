package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.internal.gate.DecisionState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AgentMaintenanceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final AtomicBoolean broken = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private final DecisionState decisions =
            new DecisionState(new DecisionState.Settings("orders-1", "orders", true, 600_000, 5_000, 1_000));

    private long ticks() {
        if (broken.get()) {
            throw new NoSuchMethodError("on purpose");
        }
        return System.nanoTime();
    }

    @Test
    void errorInARun_isCountedAndNamed_andTheNextRunEndsIt() {
        try (AgentMaintenance keeper =
                new AgentMaintenance(decisions, this::ticks, () -> {}, failures::incrementAndGet)) {
            keeper.start();
            assertThat(keeper.trouble()).isNull();

            broken.set(true);
            await().atMost(PATIENCE).until(() -> failures.get() >= 2);
            assertThat(keeper.trouble()).isEqualTo("agent maintenance: NoSuchMethodError");

            broken.set(false);
            await().atMost(PATIENCE).until(() -> keeper.trouble() == null);
        }
    }
}
