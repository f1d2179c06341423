package io.sluice.demo.stage;

import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.analyzer.api.Api;
import io.sluice.analyzer.api.ServedAnalyzer;
import io.sluice.analyzer.main.BrokerLog;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.CannotStart;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.contract.topic.TimeLimit;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The stage of the demo, all in this process and on loopback addresses: a broker with temporary data, an analyzer, and
 * two gateways, each with an agent of its own. Nothing of it outlives {@link #close}.
 */
public final class Stage implements AutoCloseable {
    private static final String SERVICE = "orders";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int CONNECTIONS = 100;
    /** On ports one after the other. */
    public static final int GATEWAYS = 2;

    private static final Duration READY = TimeLimit.of(Duration.ofSeconds(60));
    private static final long LOOK_MILLIS = 50;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final LockHistory locks = new LockHistory();
    private final List<Gateway> gateways = new ArrayList<>();
    private final StageFolder folder;
    private volatile String act = "The traffic is about to begin.";
    private URI dashboard = URI.create("http://" + LOOPBACK);

    private Stage(StageFolder folder) {
        this.folder = folder;
        open.push(folder);
    }

    /**
     * Builds the stage; everything is ready when this returns.
     *
     * @param port of the first gateway, the second has the next one; 0 for free ones
     * @param policies YAML
     * @param progress receives what is being started
     * @throws StageFailure in one line what could not be started, and why
     */
    public static Stage open(int port, String policies, Consumer<String> progress)
            throws StageFailure, InterruptedException {
        Stage stage = new Stage(folder(policies));
        try {
            stage.build(port, progress);
            return stage;
        } catch (StageFailure | InterruptedException e) {
            stage.close();
            throw e;
        } catch (CannotStart | IOException | RuntimeException e) {
            stage.close();
            throw new StageFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /** The policies of the demo, YAML. */
    public static String policies() {
        try (InputStream policies = Stage.class.getResourceAsStream("policies.yml")) {
            if (policies == null) {
                throw new IOException("policies.yml is not in this build");
            }
            return new String(policies.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StageFolder folder(String policies) throws StageFailure {
        try {
            return StageFolder.create(policies);
        } catch (IOException e) {
            throw new StageFailure("no temporary folder: " + e.getMessage(), e);
        }
    }

    private void build(int port, Consumer<String> progress)
            throws IOException, CannotStart, StageFailure, InterruptedException {
        progress.accept("a Kafka broker; its log is " + folder.kafkaLog());
        opened(BrokerLog.ofAllKafka(folder.kafkaLog()));
        EmbeddedKafka kafka =
                opened(EmbeddedKafka.builder().data(folder.kafka()).start());
        progress.accept("the analyzer");
        SluiceSettings settings = folder.settings(kafka.bootstrapServers());
        Analyzer analyzer = opened(
                Analyzer.start(AnalyzerOptions.of(settings, settings.kafka().client(), folder.policies())));
        dashboard = dashboard(settings, analyzer);
        progress.accept("two gateways");
        for (int i = 0; i < GATEWAYS; i++) {
            gateways.add(opened(gateway(kafka.bootstrapServers(), i + 1, port == 0 ? 0 : port + i)));
        }
        TopicFollower follower = opened(new TopicFollower(
                settings.kafka().client(),
                List.of(new TopicNames(settings.topics().prefix()).gateLocks()),
                locks));
        follower.start();
        awaitReady(analyzer);
    }

    private URI dashboard(SluiceSettings settings, Analyzer analyzer) throws IOException {
        Api api = opened(Api.open(
                new HttpSettings(LOOPBACK, settings.http().port()),
                settings.kafka().client(),
                new TopicNames(settings.topics().prefix()),
                settings.sources(),
                new ServedAnalyzer(
                        settings.analyzer().instance(),
                        settings.analyzer().maxLease(),
                        analyzer::running,
                        analyzer::counts,
                        analyzer.tasks().orElseThrow(),
                        analyzer::catchingUp,
                        Pseudonyms.NONE,
                        settings.agent().ipv6Prefix(),
                        () -> act)));
        return opened(HttpEndpoint.open(LOOPBACK, 0, HttpEndpoint.Bounds.of(CONNECTIONS), "demo-http", api))
                .uri()
                .resolve("/");
    }

    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    private static Gateway gateway(String bootstrap, int number, int port) throws IOException {
        GateAgent agent = GateAgent.builder()
                .bootstrap(bootstrap)
                .service(SERVICE)
                .id("gateway-" + number)
                .build();
        CallerExtraction caller =
                CallerExtraction.of("header:" + Gateway.CALLER_HEADER, Identity.AUTHENTICATED, List.of(), 64);
        return Gateway.open(agent, caller, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private void awaitReady(Analyzer analyzer) throws StageFailure, InterruptedException {
        long end = System.nanoTime() + READY.toNanos();
        while (!analyzer.running()
                || gateways.stream().anyMatch(gateway -> gateway.agent().freshness() != Freshness.FRESH)) {
            if (System.nanoTime() > end) {
                throw new StageFailure("not ready after " + READY.toSeconds() + " s: the analyzer is "
                        + (analyzer.running() ? "running" : "not running") + ", "
                        + gateways.get(0).agent().status().reasons());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** The gateways, open. */
    public List<Gateway> gateways() {
        return List.copyOf(gateways);
    }

    /** The address of the dashboard. */
    public URI dashboard() {
        return dashboard;
    }

    /** Shows a sentence in the dashboard: what happens now. */
    public void act(String sentence) {
        act = sentence;
    }

    /** Decisions of the analyzer so far. */
    public LockHistory locks() {
        return locks;
    }

    /** Where the policies stand that are in force, for as long as the stage does. */
    public Path policyFile() {
        return folder.policyFile();
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                // the demo is over: what can't be closed ends with the process
                System.err.println("sluice: while stopping: " + e);
            }
        }
    }
}
