package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaStrategyProvider;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class QuotaStrategiesOfTheSidecarTest {
    @Test
    void classPathOfTheLauncher_hasEveryStrategy() {
        assertThat(ServiceLoader.load(QuotaStrategyProvider.class))
                .extracting(QuotaStrategyProvider::name)
                .contains("redis", "sql", "token-server");
    }
}
