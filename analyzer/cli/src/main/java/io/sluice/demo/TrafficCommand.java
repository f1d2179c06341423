package io.sluice.demo;

import io.sluice.analyzer.cli.PositiveNumber;
import io.sluice.demo.traffic.Caller;
import io.sluice.demo.traffic.Demand;
import io.sluice.demo.traffic.Ledger;
import io.sluice.demo.traffic.Tally;
import io.sluice.demo.traffic.Traffic;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Calls gateways until it is stopped: twenty callers always, and a noisy one that comes and goes. */
@Command(
        name = "traffic",
        description =
                "Call gateways for ever: twenty well-behaved callers, and one that is noisy for 20 s out of 35 s.",
        footer = {"", "Examples:", "  ./sluice demo traffic http://127.0.0.1:8080 http://127.0.0.1:8081"},
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class TrafficCommand implements Callable<Integer> {
    private static final long EVERY_SECONDS = 5;
    private static final long STOP_SECONDS = 10;
    private static final Demand NOISY = Demand.comingAndGoing(15_000, 20_000, Caller.MUCH, Caller.LITTLE);

    /** Reads the address of a gateway. */
    static final class GatewayUri implements ITypeConverter<URI> {
        @Override
        public URI convert(String text) {
            try {
                URI gateway = new URI(text);
                if ("http".equals(gateway.getScheme()) && gateway.getHost() != null) {
                    return gateway;
                }
            } catch (URISyntaxException e) {
                // answered below, together with what is allowed
            }
            throw new TypeConversionException(
                    "found " + (text.isBlank() ? "nothing" : text) + ", allowed is http://HOST:PORT");
        }
    }

    @Parameters(
            paramLabel = "URL",
            arity = "1..*",
            description = "The gateways, such as http://127.0.0.1:8080.",
            converter = GatewayUri.class)
    List<URI> gateways;

    @Option(
            names = "--rate",
            paramLabel = "PART",
            defaultValue = "1",
            hidden = true,
            converter = PositiveNumber.class,
            description = "A part of the usual rate, more than 0, for machines that are too slow for it.")
    double rate;

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stop, stopped), "traffic-stop"));
        Ledger ledger = new Ledger();
        Traffic traffic = Traffic.start(
                gateways,
                Caller.withNoisy(NOISY).stream()
                        .map(caller -> caller.times(rate))
                        .toList(),
                ledger);
        try {
            while (!stop.await(EVERY_SECONDS, TimeUnit.SECONDS)) {
                say(ledger);
            }
        } finally {
            traffic.close();
            say(ledger);
            stopped.countDown();
        }
        return 0;
    }

    private static void say(Ledger ledger) {
        Tally noisy = ledger.of(Caller.NOISY);
        Tally neighbours = ledger.others(Caller.NOISY);
        System.out.printf(
                Locale.ROOT,
                "%s: %d requests, %d rejected; neighbours: %d requests, %d rejected;"
                        + " no answer within %d s: %d; failed: %d%n",
                Caller.NOISY,
                noisy.requests(),
                noisy.rejected(),
                neighbours.requests(),
                neighbours.rejected(),
                Traffic.PATIENCE_SECONDS,
                noisy.timedOut() + neighbours.timedOut(),
                noisy.failed() + neighbours.failed());
    }

    private static void stop(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            if (!stopped.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("sluice: the traffic did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
