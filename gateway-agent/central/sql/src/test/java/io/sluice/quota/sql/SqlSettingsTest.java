package io.sluice.quota.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.quota.QuotaStrategyProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlSettingsTest {
    private static final String URL = "jdbc:postgresql://db:5432/quota";

    @Test
    void urlAlone_hasDefaults() {
        assertThat(SqlSettings.of(Map.of("url", URL)))
                .isEqualTo(new SqlSettings(URL, "", "", 4, 1_024, 5_000, 1_000, true, false));
    }

    @Test
    void everySetting_isRead(@TempDir Path folder) throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "secret\n");
        assertThat(SqlSettings.of(Map.of(
                        "url", URL,
                        "user", "agents",
                        "password-file", password.toString(),
                        "connections", "8",
                        "queue", "16",
                        "statement-timeout", "50ms",
                        "connection-timeout", "300ms",
                        "durable", "false",
                        "migrate", "true")))
                .isEqualTo(new SqlSettings(URL, "agents", "secret", 8, 16, 300, 50, false, true));
    }

    @Test
    void problems_areNamedAtOnce() {
        assertThatThrownBy(() -> SqlSettings.of(Map.of(
                        "url", "jdbc:mysql://db",
                        "password-file", "/nowhere",
                        "connections", "65",
                        "statement-timeout", "5",
                        "migrate", "yes",
                        "pool-size", "3")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                        agent.quota.sql.url: found jdbc:mysql://db, allowed is jdbc:postgresql://HOST:PORT/DATABASE
                        agent.quota.sql.password-file: found /nowhere, allowed is a file that can be read, with the password in UTF-8
                        agent.quota.sql.connections: found 65, allowed is a whole number from 1 to 64
                        agent.quota.sql.statement-timeout: found 5, allowed is a duration such as 200ms or 5s, from 10 ms to 60000 ms
                        agent.quota.sql.migrate: found yes, allowed is true or false
                        agent.quota.sql.pool-size: unknown; known are connection-timeout, connections, durable, migrate, password-file, queue, statement-timeout, url, user""");
        assertThatThrownBy(() -> SqlSettings.of(Map.of()))
                .hasMessage("agent.quota.sql.url: found nothing, allowed is jdbc:postgresql://HOST:PORT/DATABASE");
    }

    @Test
    void text_hasNoPassword() {
        assertThat(SqlSettings.of(Map.of("url", URL + "?password=secret"))).hasToString(URL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://agents:s3cret@db/quota",
                "jdbc:mysql://db/quota?password=s3cret",
                "jdbc:postgresql://agents:s3cret@db:5432/quota",
                "jdbc:postgresql:agents:s3cret@db",
                "jdbc:postgresql://db:many/quota?password=s3cret"
            })
    void wrongUrl_isRefusedAtOnce_withoutItsPassword(String url) {
        assertThatThrownBy(() -> SqlSettings.of(Map.of("url", url)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("agent.quota.sql.url: found ")
                .hasMessageContaining("allowed is jdbc:postgresql://HOST:PORT/DATABASE")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void provider_isFoundByItsName() {
        assertThat(ServiceLoader.load(QuotaStrategyProvider.class))
                .extracting(QuotaStrategyProvider::name)
                .containsExactly("sql");
    }
}
