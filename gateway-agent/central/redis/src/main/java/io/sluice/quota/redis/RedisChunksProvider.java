package io.sluice.quota.redis;

import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import io.sluice.quota.chunks.ChunkOptions;
import io.sluice.quota.chunks.ChunkedQuota;
import java.util.Map;

/** Makes the strategy {@code redis-chunks}: permits are taken from Redis ahead, see {@link ChunkedQuota}. */
public final class RedisChunksProvider implements QuotaStrategyProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public RedisChunksProvider() {}

    @Override
    public String name() {
        return "redis-chunks";
    }

    @Override
    public QuotaStrategy create(Map<String, String> settings) {
        ChunkOptions options = ChunkOptions.read(settings);
        RedisSettings redis = RedisSettings.read(settings, ChunkOptions.SETTINGS);
        return new ChunkedQuota(name(), new RedisQuota(name(), redis), options);
    }
}
