package io.sluice.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.AgentStatus;
import io.sluice.contract.agent.Freshness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CachedStatusTest {
    private long now = Long.MAX_VALUE - 100;
    private int made;

    private AgentStatus status() {
        made++;
        return new AgentStatus(
                "a",
                "s",
                Freshness.COLD,
                true,
                "",
                Map.of(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                List.of());
    }

    @ParameterizedTest
    @CsvSource({"499999999, 1", "500000000, 2", "500000001, 2"})
    void oneStatusServesAScrapeAndNotTheNext(long later, int expected) {
        CachedStatus recent = new CachedStatus(this::status, () -> now);

        recent.get();
        now += later;
        recent.get();

        assertThat(made).isEqualTo(expected);
    }
}
