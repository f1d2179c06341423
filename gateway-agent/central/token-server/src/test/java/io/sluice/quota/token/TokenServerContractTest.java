package io.sluice.quota.token;

import io.sluice.quota.contract.QuotaCentre;
import io.sluice.quota.contract.QuotaStrategyContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The contract on a real token server in a process of its own. */
@Tag("server")
class TokenServerContractTest extends QuotaStrategyContract {

    @Override
    public String strategy() {
        return TokenServerProvider.NAME;
    }

    @Override
    protected QuotaCentre startCentre() throws Exception {
        return new Centre(ServerProcess.start());
    }

    private record Centre(ServerProcess server) implements QuotaCentre {
        @Override
        public Map<String, String> settings() {
            // as late as a busy machine may be
            return Map.of("servers", server.address(), "timeout", "60s", "probe", "100ms");
        }

        @Override
        public boolean keepsQuotas() {
            return false;
        }

        @Override
        public long quotas() throws Exception {
            return server.buckets();
        }
    }
}
