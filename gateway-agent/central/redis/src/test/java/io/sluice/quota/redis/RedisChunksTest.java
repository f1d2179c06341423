package io.sluice.quota.redis;

import io.sluice.quota.contract.QuotaCentre;
import io.sluice.quota.contract.QuotaStrategyContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("full")
class RedisChunksTest extends QuotaStrategyContract {
    @Override
    protected QuotaCentre startCentre() throws Exception {
        return RedisCentre.start();
    }

    @Override
    public String strategy() {
        return "redis-chunks";
    }

    /** A chunk is at most a quarter of what the store has left. */
    @Override
    public long ahead(long permits) {
        return (permits + 3) / 4;
    }

    /** More than the bound of subjects with a chunk; {@link RedisQuotaTest} invents a million. */
    @Override
    public int inventedSubjects() {
        return 150_000;
    }
}
