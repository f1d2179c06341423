package io.sluice.analyzer.api;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySet;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** A running analyzer on a real broker that has locked a caller, and Chromium signed in to its dashboard with the common token. */
final class DashboardStage implements AutoCloseable {
    /** Nothing ends by itself or is held back while the tests run. */
    static final PolicySet POLICIES = TestPolicies.set("{'guard':{'subjects':'100%','atLeast':1000},'policies':["
            + "{'name':'p','per':['caller'],'window':'10m','lock':{'when':[{'above':100}]}}]}");

    /** A text of each view that comes from its data. */
    static final Map<String, String> CONTENT = Map.of(
            "now", "noisy",
            "caller/noisy", "requests admitted,",
            "policies", "over 100 %",
            "replay", "At most",
            "agents", "orders-1",
            "letters", "dead-letters show ",
            "audit", "locked");

    static final List<String> THEMES = List.of("light", "dark");
    private static final String TOKEN = "0123456789abcdef-dashboard";

    final Browser browser;
    final TestFleet fleet;
    private final Path folder;
    private final Analyzer analyzer;
    private final AtomicReference<Api> served = new AtomicReference<>();
    private HttpEndpoint server;
    private int port;

    DashboardStage(Path folder) throws Exception {
        this(folder, POLICIES);
    }

    /** @param policies that lock a caller of 150 requests */
    DashboardStage(Path folder, PolicySet policies) throws Exception {
        this.folder = folder;
        browser = Browser.start(Files.createDirectory(folder.resolve("profile")));
        fleet = new TestFleet(folder, 1);
        analyzer = fleet.start("one", policies);
        fleet.awaitReady();
        served.set(open());
        server = listen(0);
        AgentHeartbeat beat =
                new AgentHeartbeat("orders-1", "orders", Freshness.FRESH, 1, 2, 3, 4, 5, Map.of("p", 3L), Map.of());
        TestKafka.send(fleet.topics.agents(), "orders-1", AgentHeartbeatJson.write(beat));
        fleet.send("noisy", 150);
        TestKafka.send(fleet.topics.requests(), List.of("not JSON"));
        fleet.send("quiet", 20);
        browser.open(address("/"));
        browser.awaitText("Sign in");
        browser.find("#token").sendKeys(TOKEN);
        browser.find("button[type=submit]").click();
        browser.awaitText("Locked callers", "noisy");
    }

    private Api open() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), TOKEN);
        return Api.open(
                new HttpSettings("127.0.0.1", 8480, token, true, List.of()),
                TestKafka.client(),
                fleet.topics,
                List.of(TestFleet.json(fleet.topics.requests())),
                new ServedAnalyzer(
                        "one",
                        600_000,
                        analyzer::running,
                        analyzer::counts,
                        analyzer.tasks().orElseThrow()));
    }

    private HttpEndpoint listen(int port) throws IOException {
        return HttpEndpoint.open(
                "127.0.0.1",
                port,
                HttpEndpoint.Bounds.of(100),
                "test-dashboard",
                (request, response, callback) -> served.get().answer(request, response, callback));
    }

    String address(String path) {
        return server.uri() + path;
    }

    /** Opens a view and waits for its data. */
    void view(String view) {
        browser.open(address("/#/" + view));
        browser.awaitText(CONTENT.getOrDefault(view, view), "Live");
    }

    /** Nothing listens at the address until it is called again. */
    void stopServing() {
        port = server.uri().getPort();
        server.close();
    }

    void serveAgain() throws IOException {
        server = listen(port);
    }

    @Override
    public void close() {
        browser.close();
        server.close();
        served.get().close();
        fleet.close();
    }
}
