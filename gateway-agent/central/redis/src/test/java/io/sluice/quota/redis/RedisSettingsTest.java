package io.sluice.quota.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisSettingsTest {
    private static final String URL = "redis://127.0.0.1:6379";

    @Test
    void defaults() {
        RedisSettings settings = RedisSettings.read(Map.of("url", URL), Set.of());

        assertThat(settings).isEqualTo(new RedisSettings(URL, null, null, Duration.ofSeconds(1), "sluice:", 10_000));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            url           | http://a        | url is "http://a"; allowed: redis://HOST:PORT
            url           | redis://:p@a    | url contains a user or password
            url           | redis:s3cret@a  | url contains a user or password
            url           | http://a?password=s3cret | url is "http://a?password=********"; allowed: redis://HOST:PORT
            cluster       | true            | cluster is unknown; allowed: max-in-flight, password-file, prefix, timeout, url, username; a Redis Cluster is not supported
            cluster       | false           | a Redis Cluster is not supported, since one request may charge keys of several nodes
            username      | sluice          | username is "sluice", and password-file is missing; allowed: both or none
            timeout       | 9ms             | timeout is 9 ms; 10 to 60000 ms are allowed
            timeout       | fast            | timeout is "fast"; allowed: a duration
            prefix        | a{b             | prefix is "a{b"; 1 to 64 characters without braces
            max-in-flight | 0               | max-in-flight is 0; 1 to 1000000 are allowed
            max-in-flight | many            | max-in-flight is "many"; a whole number is allowed
            password-file | /no/such/file   | password-file /no/such/file cannot be read
            host          | a               | host is unknown; allowed: max-in-flight, password-file
            """)
    void wrongSetting_isNamed(String name, String value, String message) {
        Map<String, String> settings = new HashMap<>(Map.of("url", URL));
        settings.put(name, value);

        assertThatThrownBy(() -> new RedisQuotaProvider().create(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void missingUrl_isNamed() {
        assertThatThrownBy(() -> new RedisChunksProvider().create(Map.of()))
                .hasMessageContaining("url is missing; required");
    }

    @Test
    void chunkSettings_belongToChunksAlone() {
        Map<String, String> settings = Map.of("url", URL, "chunk-ahead", "1s");

        new RedisChunksProvider().create(settings).close();
        assertThatThrownBy(() -> new RedisQuotaProvider().create(settings))
                .hasMessageContaining("chunk-ahead is unknown");
    }
}
