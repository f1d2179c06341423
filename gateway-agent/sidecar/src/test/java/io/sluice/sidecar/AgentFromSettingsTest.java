package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.settings.SluiceSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentFromSettingsTest {
    @TempDir
    Path folder;

    @Test
    void agentThatCannotBeBuilt_closesItsStrategies() throws Exception {
        SluiceSettings settings = SluiceSettings.read(
                Sidecars.settings(
                        folder,
                        "policies: []",
                        ", log-topic: 'a topic', quota: { token-server: { servers: '127.0.0.1:1' } }",
                        ""),
                Map.of());

        assertThatThrownBy(() -> AgentFromSettings.start(settings)).hasMessageContaining("logTopic");

        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("sluice-quota-token-server"));
    }
}
