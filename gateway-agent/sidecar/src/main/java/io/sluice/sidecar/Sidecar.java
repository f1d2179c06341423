package io.sluice.sidecar;

import io.grpc.BindableService;
import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.http.server.RunningClock;
import io.sluice.http.tls.Tls;
import io.sluice.settings.AgentSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SidecarSettings;
import io.sluice.settings.SidecarSettings.TokenStore;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent behind HTTP and gRPC, for services that can't embed it, still without Kafka on the request's path. Thread-safe.
 *
 * <p>A proxy does not report the end of a request, and the sidecar answers once: limits on requests in flight ({@code concurrency})
 * bind nothing here, for a permit is given back with the answer. A leaky bucket holds its answer back until the request's turn.
 */
public final class Sidecar implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sidecar.class);

    private final GateAgent agent;
    private final HttpEndpoint http;
    private final GrpcEndpoint grpc;
    private final SidecarMetrics metrics;
    private final @Nullable TokenCentre tokens;
    private volatile boolean draining;

    private Sidecar(SluiceSettings settings, GateAgent agent, @Nullable TokenCentre tokens) throws IOException {
        this.tokens = tokens;
        AgentSettings of = settings.agent();
        SidecarSettings sidecar = settings.sidecar();
        this.agent = agent;
        CallerExtraction.of("header:" + ProxyHeaders.CALLER, of.identity(), List.of(), of.ipv6Prefix())
                .identitySetting("agent.identity")
                .claimedWarning()
                .ifPresent(LOG::warn);
        CheckService checks = new CheckService(agent, sidecar.rejectStatus());
        // the analyzer's own templates, where both sides share one file: a route must have one name
        RouteNormalizer routes = new RouteNormalizer(settings.sources().stream()
                .map(SourceSettings::routes)
                .flatMap(List::stream)
                .distinct()
                .toList());
        RateLimits limits = new RateLimits(checks, new DescriptorReader(of, routes));
        CallerExtraction caller = CallerExtraction.of(of.caller(), of.identity(), of.trustedProxies(), of.ipv6Prefix());
        IncompleteCalls incomplete = new IncompleteCalls(new RunningClock(System::nanoTime));
        metrics = new SidecarMetrics(agent, incomplete);
        List<BindableService> services = new ArrayList<>(List.of(
                new RateLimitService(limits),
                new AuthorizationService(checks, new AttributeReader(caller, routes, of.service()))));
        if (tokens != null) {
            metrics.add(tokens);
            services.add(tokens.service());
        }
        TlsSettings files = sidecar.tls();
        Tls tls = files.on() ? Tls.of(files.certificate(), files.key(), files.clientCa()) : null;
        Duration drain = Duration.ofMillis(sidecar.drainMillis());
        grpc = GrpcEndpoint.open(
                sidecar.grpc(),
                sidecar.connections(),
                drain,
                tls,
                incomplete,
                services.toArray(BindableService[]::new));
        try {
            StatusPages pages = new StatusPages(this::ready, agent::reasons, metrics::scrape);
            HttpAnswers answers = new HttpAnswers(new HeaderReader(of, routes), checks, new JsonAnswers(limits), pages);
            http = HttpEndpoint.open(
                    sidecar.http().host(),
                    sidecar.http().port(),
                    new HttpEndpoint.Bounds(sidecar.connections(), drain),
                    "sluice-sidecar",
                    tls,
                    answers);
        } catch (IOException e) {
            grpc.close();
            metrics.close();
            throw new IOException("sidecar.http: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            grpc.close();
            metrics.close();
            throw e;
        }
    }

    /**
     * Starts a sidecar; it answers at once, whatever state Kafka is in.
     *
     * @throws InvalidSettings when they describe no agent
     * @throws IOException when it can't listen where it should
     */
    public static Sidecar open(SluiceSettings settings) throws InvalidSettings, IOException {
        GateAgent agent = AgentFromSettings.start(settings);
        TokenStore store = settings.sidecar().tokens();
        TokenCentre tokens = store.on() ? new TokenCentre(store) : null;
        try {
            return new Sidecar(settings, agent, tokens);
        } catch (IOException | RuntimeException e) {
            if (tokens != null) {
                tokens.close();
            }
            agent.close();
            throw e;
        }
    }

    /** Returns whether the agent knows the locks and policies that there are, and the sidecar is not about to end. */
    public boolean ready() {
        return !draining && agent.freshness() != Freshness.COLD;
    }

    /** Where it answers over HTTP. */
    public URI http() {
        return http.uri();
    }

    /** The port where it answers over gRPC. */
    public int grpcPort() {
        return grpc.port();
    }

    /**
     * Answers what is in flight, refuses what is new, sends the access log that is left, and ends: after twice {@code sidecar.drain} at most,
     * and the few seconds that the agent takes for the log.
     */
    @Override
    public void close() {
        draining = true;
        grpc.close();
        http.close();
        metrics.close();
        if (tokens != null) {
            tokens.close();
        }
        agent.close();
    }
}
