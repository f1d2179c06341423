package io.sluice.demo;

import io.sluice.agent.http.CallerExtraction;
import io.sluice.analyzer.cli.ListenAddress;
import io.sluice.analyzer.cli.WholeNumber;
import io.sluice.demo.stage.Gateway;
import io.sluice.settings.AgentSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SluiceSettings;
import io.sluice.sidecar.AgentFromSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs one example gateway until it is stopped; its agent has the settings of the file. */
@Command(
        name = "gateway",
        description =
                "Run an example service with a gate, configured by the agent section of the settings; /health shows its state.",
        footer = {
            "",
            "Examples:",
            "  ./sluice demo gateway --port 8080",
            "  ./sluice demo gateway --bind 0.0.0.0 --bootstrap kafka:9092"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class GatewayCommand implements Callable<Integer> {
    private static final long STOP_SECONDS = 15;

    static final class Port extends WholeNumber {
        Port() {
            super(0, 65_535);
        }
    }

    @Spec
    CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings; default: sluice.yml, if there is one.")
    @Nullable
    Path config;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "Kafka's address, or several with commas. Default: kafka.bootstrap.servers.")
    @Nullable
    String bootstrap;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Default: ${DEFAULT-VALUE}.")
    String bind;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "8080",
            converter = Port.class,
            description = "Default: ${DEFAULT-VALUE}; 0: a free one.")
    int port;

    @Override
    public Integer call() throws InvalidSettings, IOException, InterruptedException {
        InetAddress host = host();
        ListenAddress.check(spec.commandLine(), host, port);
        SluiceSettings settings = SluiceSettings.read(config, bootstrap, System.getenv());
        AgentSettings of = settings.agent();
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stop, stopped), "gateway-stop"));
        CallerExtraction caller = CallerExtraction.of(of.caller(), of.identity(), of.trustedProxies(), of.ipv6Prefix());
        try (Gateway gateway =
                Gateway.open(AgentFromSettings.start(settings), caller, new InetSocketAddress(host, port))) {
            System.out.println(gateway.agent().id() + " listens on " + gateway.uri());
            stop.await();
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    private InetAddress host() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), "--bind: found " + bind + ", there is no such host", e);
        }
    }

    private static void stop(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            if (!stopped.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("sluice: the gateway did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
