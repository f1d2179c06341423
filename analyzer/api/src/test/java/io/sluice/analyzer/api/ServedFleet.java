package io.sluice.analyzer.api;

import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.policy.PolicySet;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** A running analyzer on a real broker, and its API and dashboard at an address. */
final class ServedFleet implements AutoCloseable {
    final TestFleet fleet;
    /** The analyzer as the API sees it. */
    final ServedAnalyzer analyzer;

    private final Api api;
    private final String threads;
    private HttpEndpoint server;
    private int port;

    /** @param folder for the state of the analyzer */
    ServedFleet(Path folder, int partitions, PolicySet policies) throws Exception {
        this(folder, partitions, policies, new HttpSettings("127.0.0.1", 8480));
    }

    ServedFleet(Path folder, int partitions, PolicySet policies, HttpSettings http) throws Exception {
        this(folder, partitions, policies, http, "test-served", served -> served);
    }

    /**
     * @param threads prefix of the names of the server's threads
     * @param observed wraps what the API knows of the analyzer
     */
    ServedFleet(
            Path folder,
            int partitions,
            PolicySet policies,
            HttpSettings http,
            String threads,
            UnaryOperator<ServedAnalyzer> observed)
            throws Exception {
        this.threads = threads;
        fleet = new TestFleet(folder, partitions);
        Analyzer started = fleet.start("one", policies);
        fleet.awaitReady();
        analyzer = observed.apply(new ServedAnalyzer(
                "one",
                600_000,
                started::running,
                started::counts,
                started.tasks().orElseThrow()));
        api = Api.open(
                http, TestKafka.client(), fleet.topics, List.of(TestFleet.json(fleet.topics.requests())), analyzer);
        // reserved until it listens again, which an ephemeral port is not
        server = listen(FreePort.next());
    }

    private HttpEndpoint listen(int at) throws IOException {
        return HttpEndpoint.open("127.0.0.1", at, HttpEndpoint.Bounds.of(HealthPage.CONNECTIONS), threads, api);
    }

    URI uri() {
        return server.uri();
    }

    /** Nothing listens at the address until {@link #listenAgain}. */
    void stopListening() {
        port = server.uri().getPort();
        server.close();
    }

    void listenAgain() throws IOException {
        server = listen(port);
    }

    @Override
    public void close() {
        server.close();
        api.close();
        fleet.close();
    }
}
