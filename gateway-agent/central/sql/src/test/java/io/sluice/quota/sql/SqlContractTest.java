package io.sluice.quota.sql;

import io.sluice.quota.contract.QuotaCentre;
import io.sluice.quota.contract.QuotaStrategyContract;
import io.sluice.testing.PostgresServer;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The contract on a real PostgreSQL. */
@Tag("server")
class SqlContractTest extends QuotaStrategyContract {

    @Override
    public String strategy() {
        return SqlQuotaProvider.NAME;
    }

    @Override
    protected QuotaCentre startCentre() {
        PostgresServer.needed();
        return new Centre(PostgresServer.start());
    }

    private record Centre(PostgresServer server) implements QuotaCentre {
        @Override
        public Map<String, String> settings() {
            // a cold JVM under faketime on a busy machine takes its time
            return Database.settings(server);
        }

        @Override
        public boolean keepsQuotas() {
            return true;
        }

        @Override
        public long quotas() throws Exception {
            return Database.number(server, "SELECT count(*) FROM sluice_quota");
        }
    }
}
