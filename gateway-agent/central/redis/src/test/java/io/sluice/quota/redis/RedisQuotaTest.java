package io.sluice.quota.redis;

import io.sluice.quota.contract.QuotaCentre;
import io.sluice.quota.contract.QuotaStrategyContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class RedisQuotaTest extends QuotaStrategyContract {
    @Override
    protected QuotaCentre startCentre() throws Exception {
        return RedisCentre.start();
    }

    @Override
    public String strategy() {
        return "redis";
    }
}
