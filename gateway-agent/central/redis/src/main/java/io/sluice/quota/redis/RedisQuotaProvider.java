package io.sluice.quota.redis;

import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import java.util.Map;
import java.util.Set;

/** Makes the strategy {@code redis}: each request is a call to Redis. */
public final class RedisQuotaProvider implements QuotaStrategyProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public RedisQuotaProvider() {}

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public QuotaStrategy create(Map<String, String> settings) {
        return new RedisQuota(name(), RedisSettings.read(settings, Set.of()));
    }
}
