package io.sluice.analyzer.api;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.topic.TimeLimit;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.SourceSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers {@code /api/v1/…}, {@code /openapi.json} and the files of the dashboard. It follows the topics itself, so each instance answers for the whole
 * fleet, and goes on answering while its tasks stand still. It writes operators' records and policies where {@code http.writes} allows it; nothing
 * else. Thread-safe.
 */
public final class Api implements HttpEndpoint.Answers, AutoCloseable {
    private static final Duration WRITE_PATIENCE = TimeLimit.of(Duration.ofSeconds(5));
    /** A listener that is gone is noticed when it is written to. */
    private static final long HEARTBEAT_MILLIS = 5_000;

    /** Questions answered at once; some read Kafka or ask the other instances. */
    private static final int AT_ONCE = 32;

    private final ApiRoutes routes;
    private final SharedAnswers shared;
    private final EventStreams events;
    private final TopicFollower follower;

    private Api(ApiRoutes routes, SharedAnswers shared, EventStreams events, TopicFollower follower) {
        this.routes = routes;
        this.shared = shared;
        this.events = events;
        this.follower = follower;
    }

    /**
     * Begins to follow the topics, unless there is no port: 0.
     *
     * @param client at least {@code bootstrap.servers}
     * @throws IOException when the token can't be read or is too short to be one, or the files of TLS cannot be used
     */
    public static Api open(HttpSettings where, Map<String, Object> client, TopicNames topics, ServedAnalyzer analyzer)
            throws IOException {
        return open(where, client, topics, List.of(), analyzer);
    }

    /**
     * The same, for an analyzer of these sources, whose newest records changed policies are tried on.
     *
     * @param client at least {@code bootstrap.servers}
     * @throws IOException when the token can't be read or is too short to be one, or the files of TLS cannot be used
     */
    public static Api open(
            HttpSettings where,
            Map<String, Object> client,
            TopicNames topics,
            List<SourceSettings> sources,
            ServedAnalyzer analyzer)
            throws IOException {
        return open(where, ApiSecrets.read(where), client, topics, sources, analyzer);
    }

    /**
     * The same, with secrets that have been read before.
     *
     * @param client at least {@code bootstrap.servers}
     * @throws IOException when the files of TLS cannot be used
     */
    public static Api open(
            HttpSettings where,
            ApiSecrets secrets,
            Map<String, Object> client,
            TopicNames topics,
            List<SourceSettings> sources,
            ServedAnalyzer analyzer)
            throws IOException {
        String token = secrets.token();
        Users users = secrets.users();
        Authenticator authenticator = new Authenticator(token, users, secrets.proxy());
        ApiGuard guard =
                new ApiGuard(where, token, authenticator, analyzer.tasks().address());
        FleetState fleet = new FleetState(topics, analyzer.maxLease());
        GateEvents transitions = new GateEvents(topics.gateLocks(), EventStreams.MOST);
        TopicSilence silence = new TopicSilence(System::nanoTime);
        TopicFollower follower = new TopicFollower(
                client, fleet.followed(), new CompositeListener(silence, new CompositeListener(fleet, transitions)));
        RequestLogs logs = new RequestLogs(client, sources, () -> fleet.now(System.currentTimeMillis()));
        ReplayAnswers replays = new ReplayAnswers(
                fleet, logs, analyzer.pseudonyms(), Runtime.getRuntime().maxMemory());
        Answers answers = new Answers(
                fleet,
                silence,
                analyzer,
                where.writes() && token != null,
                Peers.Access.of(where, token),
                new DecisionLog(client, topics.decisions()),
                new DeadLetterAnswers(client, topics.deadLetters()),
                replays,
                new NewestEvents(logs),
                System::currentTimeMillis);
        EventStreams events = new EventStreams(transitions, HEARTBEAT_MILLIS);
        ApiRoutes.Endpoints endpoints = new ApiRoutes.Endpoints(
                new SessionEndpoint(guard, new SignIn(token, users, where.tls().on(), where.writes())),
                answers,
                writes(fleet, new OperatorWriter(client, topics, WRITE_PATIENCE), analyzer),
                events,
                new ReplayEndpoint(replays));
        Semaphore turns = new Semaphore(AT_ONCE);
        SharedAnswers shared = new SharedAnswers(turns, System::nanoTime);
        if (where.port() != 0) {
            follower.start();
        }
        return new Api(new ApiRoutes(guard, endpoints, shared, turns), shared, events, follower);
    }

    private static Writes writes(FleetState fleet, OperatorWriter writer, ServedAnalyzer analyzer) {
        PolicyWrites policies =
                new PolicyWrites(fleet, writer, analyzer.pseudonyms(), WRITE_PATIENCE, System::currentTimeMillis);
        return new Writes(fleet, writer, policies, analyzer.ipv6Prefix(), System::currentTimeMillis);
    }

    /**
     * Returns whether an address that is listened on is of this machine alone.
     *
     * @throws UnknownHostException when there is no such address, so that nothing can listen there
     */
    public static boolean onLoopback(String bind) throws UnknownHostException {
        return InetAddress.getByName(bind).isLoopbackAddress();
    }

    @Override
    public void answer(Request request, Response response, Callback callback) {
        routes.answer(request, response, callback);
    }

    /** Returns the metrics of its answers. */
    public MeterBinder meters() {
        return new ApiMeters(shared, events);
    }

    @Override
    public void close() {
        events.close();
        follower.close();
    }
}
