package io.sluice.sidecar;

import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a sidecar until it is stopped. */
@Command(
        name = "sidecar",
        description = "Run the gate behind HTTP and gRPC, for nginx, Envoy and other clients.",
        footer = {
            "",
            "Examples:",
            "  ./sluice sidecar",
            "  ./sluice sidecar --config sidecar.yml --bootstrap kafka:9092",
            "  ./sluice sidecar --print-config"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
public final class SidecarCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(SidecarCommand.class);
    /** What the agent may take to send the log that is left, and the rest of the stop. */
    private static final long STOP_MILLIS = 10_000;

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

    @Option(names = "--print-config", description = "Show every setting and where it came from, and end.")
    boolean printConfig;

    @Override
    public Integer call() throws InvalidSettings, IOException, InterruptedException {
        SluiceSettings settings = SluiceSettings.read(config, bootstrap, System.getenv());
        if (printConfig) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(settings.printed());
            out.flush();
            return 0;
        }
        settings.warnings().forEach(log::warn);
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread hook = new Thread(
                () -> stop(stop, stopped, STOP_MILLIS + 2 * settings.sidecar().drainMillis()), "sluice-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (Sidecar sidecar = Sidecar.open(settings)) {
            log.info("the sidecar answers on {}, and over gRPC on port {}", sidecar.http(), sidecar.grpcPort());
            stop.await();
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** The process must not end before the sidecar has. */
    private static void stop(CountDownLatch stop, CountDownLatch stopped, long patienceMillis) {
        stop.countDown();
        try {
            if (!stopped.await(patienceMillis, TimeUnit.MILLISECONDS)) {
                log.warn("the sidecar did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
