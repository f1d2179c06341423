package io.sluice.quota.sql;

import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import java.util.Map;

/** Makes the strategy {@code sql}: quotas in PostgreSQL, with the settings of {@link SqlSettings}. */
public final class SqlQuotaProvider implements QuotaStrategyProvider {
    static final String NAME = "sql";

    /** Creates the provider; {@link java.util.ServiceLoader} does. */
    public SqlQuotaProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public QuotaStrategy create(Map<String, String> settings) {
        return new SqlQuota(SqlSettings.of(settings));
    }
}
