package io.sluice.quota.contract;

import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What every strategy promises. Its test extends this class, and starts a real store in {@link #startCentre}. Clients are made by the provider, from
 * the settings of the store alone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
public abstract class QuotaStrategyContract
        implements CountingContract,
                HierarchyContract,
                WaitContract,
                CorrectionContract,
                ChangeContract,
                FaultContract,
                ClockContract,
                ExpiryContract {
    private static final int FEW = 2_000;
    private static final int MANY = 1_000_000;

    private final List<QuotaStrategy> clients = new ArrayList<>();
    private @Nullable QuotaCentre centre;

    /** Makes the fixture of the tests. */
    protected QuotaStrategyContract() {}

    /**
     * Starts the store; all tests of the class use it. Aborts with a reason where its program is missing: {@link io.sluice.testing.NeededProgram}.
     *
     * @return a store that answers
     * @throws Exception when it does not start
     */
    protected abstract QuotaCentre startCentre() throws Exception;

    @Override
    public abstract String strategy();

    @Override
    public long ahead(long permits) {
        return 0;
    }

    /** Returns a million in the full build; a strategy without a real store of its own returns fewer. */
    @Override
    public int inventedSubjects() {
        return Seeds.of(FEW, MANY);
    }

    @Override
    public final QuotaCentre centre() {
        if (centre == null) {
            throw new IllegalStateException("the store was not started");
        }
        return centre;
    }

    @Override
    public final Stream<Algorithm> algorithms() {
        return connect().algorithms().stream().sorted();
    }

    @Override
    public final QuotaStrategy connect() {
        QuotaStrategy client = provider(strategy()).create(centre().settings());
        clients.add(client);
        return client;
    }

    static QuotaStrategyProvider provider(String name) {
        return ServiceLoader.load(QuotaStrategyProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("META-INF/services names no provider of " + name));
    }

    @BeforeAll
    final void begin() throws Exception {
        centre = startCentre();
    }

    @BeforeEach
    final void avoidMidnight() {
        Limits.awaitClearOfMidnight();
    }

    @AfterEach
    final void closeClients() throws Exception {
        centre().server().thaw();
        clients.forEach(QuotaStrategy::close);
        clients.clear();
    }

    @AfterAll
    final void end() throws Exception {
        if (centre != null) {
            centre.server().thaw();
            centre.close();
        }
    }
}
