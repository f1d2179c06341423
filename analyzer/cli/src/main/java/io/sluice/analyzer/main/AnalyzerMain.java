package io.sluice.analyzer.main;

import io.sluice.analyzer.api.Api;
import io.sluice.analyzer.api.HealthPage;
import io.sluice.analyzer.api.ServedAnalyzer;
import io.sluice.analyzer.metrics.AnalyzerMetrics;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.CannotStart;
import io.sluice.analyzer.run.SourceTopics;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.pseudonym.PseudonymousPolicies;
import io.sluice.contract.topic.TopicNames;
import io.sluice.http.tls.Tls;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.kafka.embedded.KafkaStartException;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.KafkaSettings;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.TlsSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code analyzer} command: runs one analyzer until the process is stopped or the analyzer dies. It starts a new one when the
 * wall clock was set back, and after an outage of Kafka.
 */
public final class AnalyzerMain {
    private static final Logger log = LoggerFactory.getLogger(AnalyzerMain.class);
    private static final Path EMBEDDED_DATA = Path.of("data", "kafka");
    private static final Path EMBEDDED_LOG = Path.of("data", "kafka-broker.log");

    private AnalyzerMain() {}

    /**
     * Runs.
     *
     * @param options of {@link #options}
     * @param secrets of the same settings
     * @param err takes what is wrong, a line each
     * @return the process's exit code: 0 stopped when asked to, 1 failed
     */
    public static int run(SluiceSettings settings, AnalyzerOptions options, AnalyzerSecrets secrets, PrintStream err) {
        StopSignal signal = new StopSignal();
        signal.listen();
        try {
            return settings.kafka().embedded()
                    ? runWithBroker(settings, options, secrets, signal, err)
                    : run(settings, options, secrets, signal, err);
        } catch (CannotStart | KafkaStartException | IllegalArgumentException e) {
            err.println(PrintableText.lines(String.valueOf(e.getMessage())));
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            signal.ended();
        }
    }

    private static int runWithBroker(
            SluiceSettings settings,
            AnalyzerOptions options,
            AnalyzerSecrets secrets,
            StopSignal signal,
            PrintStream err)
            throws CannotStart, InterruptedException {
        int port = Integer.parseInt(KafkaSettings.EMBEDDED.substring(KafkaSettings.EMBEDDED.indexOf(':') + 1));
        try (BrokerLog brokerLog = BrokerLog.ofBroker(EMBEDDED_LOG)) {
            log.info(
                    "no Kafka cluster is configured: starting a broker on 127.0.0.1:{}, data in {}, its log in {}",
                    port,
                    EMBEDDED_DATA.toAbsolutePath(),
                    brokerLog.file().toAbsolutePath());
            try (EmbeddedKafka broker =
                    EmbeddedKafka.builder().port(port).data(EMBEDDED_DATA).start()) {
                log.info("the broker is ready on {}", broker.bootstrapServers());
                SourceTopics.create(settings, options.client());
                return run(settings, options, secrets, signal, err);
            }
        }
    }

    /**
     * Reads what the settings name. It needs no broker, so that errors of the policy file come before those of a broker.
     *
     * @throws CannotStart when the policy file or one of TLS cannot be read or has errors, or http.bind is no address of this machine or
     *     would open the pages to the network
     */
    public static AnalyzerOptions options(SluiceSettings settings) throws CannotStart {
        HttpSettings http = settings.http();
        if (http.port() != 0) {
            checkBind(http);
        }
        checkTls(http);
        return AnalyzerOptions.of(settings, settings.kafka().client(), policies(settings));
    }

    private static void checkTls(HttpSettings http) throws CannotStart {
        try {
            TlsSettings files = http.tls();
            Tls served = Tls.of(files.certificate(), files.key(), files.clientCa());
            Tls asked = Tls.of(files.certificate(), files.key(), http.ca());
            log.debug("TLS is served by {} and asked by {}", served, asked);
        } catch (IOException e) {
            throw new CannotStart("http.tls: " + e.getMessage());
        }
    }

    /** Binds the address for a moment, at any port: with one in use the analyzer runs without pages. */
    private static void checkBind(HttpSettings http) throws CannotStart {
        boolean loopback;
        try (ServerSocket socket = new ServerSocket()) {
            loopback = Api.onLoopback(http.bind());
            socket.bind(new InetSocketAddress(InetAddress.getByName(http.bind()), 0));
        } catch (IOException e) {
            throw new CannotStart("http.bind: found " + http.bind() + ", allowed is an address of this machine, such as"
                    + " 127.0.0.1, or 0.0.0.0 for all of them (" + e.getMessage() + ")");
        }
        if (http.tokenFile() == null && !loopback) {
            throw new CannotStart(
                    "http.bind: found " + http.bind() + " without http.token-file, allowed is 127.0.0.1 or ::1;"
                            + " a file with a token of 16 characters or more lets others ask, and http.port: 0 serves no pages");
        }
    }

    private static int run(
            SluiceSettings settings,
            AnalyzerOptions options,
            AnalyzerSecrets secrets,
            StopSignal signal,
            PrintStream err)
            throws CannotStart, InterruptedException {
        settings.warnings().forEach(log::warn);
        // a broker in this process does not come back by itself
        boolean waits = !settings.kafka().embedded();
        boolean ran = false;
        while (!signal.told()) {
            String lost;
            try (Analyzer analyzer = Analyzer.start(options);
                    AnalyzerMetrics metrics = AnalyzerMetrics.of(analyzer);
                    HealthPage health = health(settings, analyzer, metrics);
                    Api api = api(settings, options, secrets, analyzer);
                    Webhooks webhooks = Webhooks.start(settings, secrets.webhooks(), options, analyzer::brokerTime);
                    ClockWatch clock = ClockWatch.start(analyzer::close)) {
                health.serve(api);
                metrics.add(api.meters());
                metrics.webhooks(webhooks.notifiers());
                if (!signal.running(analyzer::close)) {
                    return 0;
                }
                ran = true;
                log.info("analyzer {} is up; {}; {}", options.analyzer().instance(), health, webhooks);
                Optional<String> failure = analyzer.await();
                if (failure.isEmpty() && !clock.setBack()) {
                    return 0;
                }
                if (failure.isPresent() && !(waits && analyzer.outage())) {
                    err.println(PrintableText.lines(failure.get()));
                    return 1;
                }
                signal.stopped();
                lost = failure.orElse("");
            } catch (CannotStart e) {
                // an outage may begin again before the analyzer is up
                if (!ran || !waits || !(e.outage() || BrokerProbe.problem(servers(options)) != null)) {
                    throw e;
                }
                lost = String.valueOf(e.getMessage());
            }
            if (!lost.isEmpty() && !awaitKafka(options, lost, signal)) {
                return 0;
            }
        }
        return 0;
    }

    /** Waits for Kafka; returns false when the end of the process begins first. */
    private static boolean awaitKafka(AnalyzerOptions options, String why, StopSignal signal)
            throws InterruptedException {
        log.warn(
                "the run ended ({}); another one begins as soon as Kafka at {} answers",
                PrintableText.lines(why),
                servers(options));
        return BrokerProbe.await(servers(options), signal);
    }

    private static String servers(AnalyzerOptions options) {
        return String.valueOf(options.client().get("bootstrap.servers"));
    }

    private static HealthPage health(SluiceSettings settings, Analyzer analyzer, AnalyzerMetrics metrics)
            throws CannotStart {
        try {
            return HealthPage.open(
                    settings.http(),
                    new Readiness(analyzer::running, System::nanoTime),
                    analyzer::catchingUp,
                    metrics::scrape);
        } catch (IOException e) {
            throw new CannotStart("http.tls: " + e.getMessage());
        }
    }

    private static Api api(SluiceSettings settings, AnalyzerOptions options, AnalyzerSecrets secrets, Analyzer analyzer)
            throws CannotStart {
        try {
            return Api.open(
                    settings.http(),
                    secrets.api(),
                    options.client(),
                    new TopicNames(options.topics().prefix()),
                    settings.sources(),
                    new ServedAnalyzer(
                            options.analyzer().instance(),
                            options.analyzer().maxLease(),
                            analyzer::running,
                            analyzer::counts,
                            analyzer.tasks().orElseThrow(),
                            analyzer::catchingUp,
                            settings.agent().pseudonyms(),
                            settings.agent().ipv6Prefix(),
                            () -> ""));
        } catch (IOException e) {
            throw new CannotStart(String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable PolicySet policies(SluiceSettings settings) throws CannotStart {
        Path file = settings.policies();
        if (file == null) {
            return null;
        }
        try {
            return PseudonymousPolicies.of(
                    PolicyFile.read(file), settings.agent().pseudonyms());
        } catch (InvalidPolicies e) {
            throw new CannotStart(e.problems().stream().map(Object::toString).toList());
        } catch (MalformedRecord | IOException e) {
            throw new CannotStart(String.valueOf(e.getMessage()));
        }
    }
}
