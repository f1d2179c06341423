package io.sluice.agent.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class QuotaStrategiesTest {
    @Test
    void nothing_makesNothing() {
        assertThat(QuotaStrategies.of("agent.quota", Map.of())).isEmpty();
    }

    @Test
    void unknownNames_areReportedAtOnce_withWhatBringsStrategies() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuotaStrategies.of(
                        "agent.quota", Map.of("memcached", Map.of("uri", "x"), "redis", Map.of("url", "redis://c"))))
                .withMessageContaining("agent.quota.memcached: found an unknown strategy, allowed is none")
                .withMessageContaining("agent.quota.redis: found an unknown strategy")
                .withMessageContaining("sluice-quota-redis");
    }
}
