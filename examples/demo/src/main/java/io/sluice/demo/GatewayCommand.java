package io.sluice.demo;

import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.demo.stage.Gateway;
import io.sluice.settings.AgentSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs one example gateway until it is told to stop; its agent is what the settings say. */
@Command(
        name = "gateway",
        description =
                "Run an example service with a gate, as the agent section of the settings says; /health tells how it is.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class GatewayCommand implements Callable<Integer> {
    private static final long STOP_SECONDS = 15;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings; default: sluice.yml, if there is one.")
    @Nullable
    Path config;

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
            description = "Default: ${DEFAULT-VALUE}; 0: a free one.")
    int port;

    @Override
    public Integer call() throws InvalidSettings, IOException, InterruptedException {
        SluiceSettings settings = SluiceSettings.read(config, System.getenv());
        AgentSettings of = settings.agent();
        if (of.service().isEmpty()) {
            System.err.println(
                    "agent.service is missing: say what the gateway serves, for example SLUICE_AGENT_SERVICE=orders");
            return 1;
        }
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stop, stopped), "gateway-stop"));
        CallerExtraction caller = CallerExtraction.of(of.caller(), of.identity(), of.trustedProxies(), of.ipv6Prefix());
        try (Gateway gateway = Gateway.open(agent(settings), caller, new InetSocketAddress(bind, port))) {
            System.out.println(gateway.agent().id() + " listens on " + gateway.uri());
            stop.await();
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    private static GateAgent agent(SluiceSettings settings) {
        AgentSettings of = settings.agent();
        var builder = GateAgent.builder()
                .kafka(settings.kafka().client())
                .topicPrefix(settings.topics().prefix())
                .id(of.id())
                .service(of.service())
                .enforce(of.enforce())
                .maxLease(Duration.ofMillis(of.maxLease()))
                .staleAfter(Duration.ofMillis(of.staleAfter()))
                .heartbeat(Duration.ofMillis(of.heartbeat()))
                .gates(of.gates())
                .logQueue(of.logQueue());
        Path policies = of.policies();
        return (policies == null ? builder : builder.policies(policies)).build();
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
