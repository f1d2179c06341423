package io.sluice.quota.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.sluice.quota.contract.QuotaCentre;
import io.sluice.testing.RedisServer;
import java.io.IOException;
import java.util.Map;

/** A real Redis as the contract uses it. */
record RedisCentre(RedisServer server) implements QuotaCentre {
    static RedisCentre start(String... options) throws IOException {
        return new RedisCentre(RedisServer.start(options));
    }

    int port() {
        return server.port();
    }

    String url() {
        return server.url();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("url", url(), "timeout", "1m");
    }

    @Override
    public boolean keepsQuotas() {
        return false;
    }

    @Override
    public long quotas() {
        RedisClient client = RedisClient.create(url());
        try (client;
                StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().dbsize();
        }
    }
}
