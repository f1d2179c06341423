package io.sluice.quota.redis;

import io.sluice.quota.contract.QuotaCentre;
import io.sluice.quota.contract.QuotaStrategyContract;

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
