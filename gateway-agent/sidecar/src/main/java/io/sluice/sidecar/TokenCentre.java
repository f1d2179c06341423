package io.sluice.sidecar;

import io.grpc.BindableService;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.quota.token.TokenService;
import io.sluice.quota.token.TokenTable;
import io.sluice.settings.SidecarSettings.TokenStore;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The token server of a sidecar: its buckets, which are swept every ten seconds. Thread-safe. */
final class TokenCentre implements MeterBinder, AutoCloseable {
    private static final int SWEEP_SECONDS = 10;

    private final TokenTable table;
    private final TokenService service;
    private final ScheduledExecutorService timer;

    TokenCentre(TokenStore settings) {
        table = new TokenTable(settings.most(), settings.full(), TokenService.clock());
        service = new TokenService(table);
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "sluice-token-sweep");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleWithFixedDelay(table::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    BindableService service() {
        return service;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sluice.token.server.buckets", table, TokenTable::size).register(registry);
        FunctionCounter.builder("sluice.token.server.requests", service, TokenService::requests)
                .register(registry);
        FunctionCounter.builder("sluice.token.server.evicted", table, TokenTable::evicted)
                .register(registry);
        FunctionCounter.builder("sluice.token.server.rejoins", table, TokenTable::rejoins)
                .register(registry);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
