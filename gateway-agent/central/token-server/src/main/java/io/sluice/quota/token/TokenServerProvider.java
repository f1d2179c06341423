package io.sluice.quota.token;

import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import java.util.Map;

/** Makes the strategy {@code token-server}: quotas in sidecars, with the settings of {@link TokenServerSettings}. */
public final class TokenServerProvider implements QuotaStrategyProvider {
    static final String NAME = "token-server";

    /** Creates the provider; {@link java.util.ServiceLoader} does. */
    public TokenServerProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public QuotaStrategy create(Map<String, String> settings) {
        return new TokenServerQuota(TokenServerSettings.of(settings));
    }
}
