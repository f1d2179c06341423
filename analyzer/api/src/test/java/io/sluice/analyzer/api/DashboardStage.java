package io.sluice.analyzer.api;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.ProxySettings;
import io.sluice.settings.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A running analyzer on a real broker that has locked a caller, and Chromium signed in to its dashboard with the common token. Each test class has an
 * analyzer of its own; all share one Chromium.
 */
final class DashboardStage implements BeforeAllCallback, AfterAllCallback {
    /** Nothing ends by itself or is held back while the tests run. */
    static final PolicySet POLICIES = TestPolicies.set("{'guard':{'subjects':'100%','atLeast':1000},'policies':["
            + "{'name':'p','per':['caller'],'window':'1h','lock':{'when':[{'above':100}],'for':'1h'}}]}");

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

    private final PolicySet policies;
    private final String users;
    private Path folder;
    private ServedFleet served;

    /** Set before the first test of the class. */
    Browser browser;

    TestFleet fleet;

    DashboardStage() {
        this(POLICIES, "");
    }

    /**
     * @param policies that lock a caller of 150 requests
     * @param users lines of {@code http.users-file}
     */
    DashboardStage(PolicySet policies, String users) {
        this.policies = policies;
        this.users = users;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        browser = Browser.shared(context);
        folder = Files.createTempDirectory("sluice-dashboard");
        served = new ServedFleet(folder, 1, policies, settings());
        fleet = served.fleet;
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

    private HttpSettings settings() throws IOException {
        return new HttpSettings(
                "127.0.0.1",
                8480,
                file("token", TOKEN),
                true,
                List.of(),
                TlsSettings.NONE,
                null,
                users.isEmpty() ? null : file("users", users),
                ProxySettings.NONE);
    }

    /** Writes a file that lasts as long as the stage. */
    Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    String address(String path) {
        return served.uri() + path;
    }

    /** Opens a view and waits for its data. */
    void view(String view) {
        browser.open(address("/#/" + view));
        browser.awaitText(CONTENT.getOrDefault(view, view), "Live");
    }

    /** Nothing listens at the address until {@link #serveAgain}. */
    void stopServing() {
        served.stopListening();
    }

    void serveAgain() throws IOException {
        served.listenAgain();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (served != null) {
            served.close();
        }
        if (folder != null) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(DashboardStage::delete);
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
