package io.sluice.analyzer.main;

import io.sluice.contract.topic.TimeLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a bootstrap address accepts connections. Kafka's clients retry in silence until their timeout, whatever the reason; a
 * refused connection or an unknown host is known at once.
 */
public final class BrokerProbe {

    /** The result of one address. */
    enum Outcome {
        ACCEPTED,
        UNKNOWN_HOST,
        REFUSED,
        SILENT
    }

    private static final Duration ANSWER = TimeLimit.of(Duration.ofSeconds(4));
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int HIGHEST_PORT = 65535;

    private BrokerProbe() {}

    /**
     * Tries all addresses at the same time.
     *
     * @param servers {@code bootstrap.servers}: {@code host:port,…}, or a list of them
     * @return why none can be used, to follow "Kafka at HOST:PORT"; {@code null} when one accepts a connection, or when the addresses
     *     are malformed, which the client reports
     */
    public static @Nullable String problem(Object servers, Duration timeout) throws InterruptedException {
        List<String> addresses = addresses(servers);
        if (addresses.isEmpty() || addresses.stream().anyMatch(BrokerProbe::malformed)) {
            return null;
        }
        Set<Outcome> seen = outcomes(addresses, timeout);
        if (seen.contains(Outcome.ACCEPTED)) {
            return null;
        }
        if (seen.contains(Outcome.SILENT)) {
            return "did not answer within " + timeout.toSeconds() + " s.";
        }
        return seen.contains(Outcome.REFUSED) ? "refused the connection." : "cannot be reached: the host is unknown.";
    }

    /** As {@link #problem(Object, Duration)}, for a broker that may take seconds. */
    static @Nullable String problem(Object servers) throws InterruptedException {
        return problem(servers, ANSWER);
    }

    /**
     * Waits until one of the addresses accepts a connection.
     *
     * @return false when the end of the process begins first
     */
    static boolean await(Object servers, StopSignal signal) throws InterruptedException {
        while (problem(servers) != null) {
            if (signal.await(PAUSE)) {
                return false;
            }
        }
        return !signal.told();
    }

    private static List<String> addresses(Object servers) {
        Stream<?> each = servers instanceof List<?> list
                ? list.stream()
                : Stream.of(servers.toString().split(","));
        return each.map(it -> it.toString().strip()).filter(it -> !it.isEmpty()).toList();
    }

    private static boolean malformed(String address) {
        Integer port = Utils.getPort(address);
        return Utils.getHost(address) == null || port == null || port > HIGHEST_PORT;
    }

    private static Set<Outcome> outcomes(List<String> addresses, Duration timeout) throws InterruptedException {
        BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
        for (String address : addresses) {
            Thread thread = new Thread(() -> outcomes.add(connect(address, timeout)), "sluice-probe-" + address);
            thread.setDaemon(true);
            thread.start();
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
        for (int i = 0; i < addresses.size() && !seen.contains(Outcome.ACCEPTED); i++) {
            Outcome outcome = outcomes.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            // a name server that does not answer outlasts the timeout
            seen.add(outcome == null ? Outcome.SILENT : outcome);
        }
        return seen;
    }

    private static Outcome connect(String address, Duration timeout) {
        Integer port = Utils.getPort(address);
        Outcome last = Outcome.UNKNOWN_HOST;
        try {
            for (InetAddress one : InetAddress.getAllByName(Utils.getHost(address))) {
                last = connect(new InetSocketAddress(one, port == null ? 0 : port), timeout);
                if (last == Outcome.ACCEPTED) {
                    return last;
                }
            }
            return last;
        } catch (UnknownHostException e) {
            return Outcome.UNKNOWN_HOST;
        }
    }

    private static Outcome connect(InetSocketAddress address, Duration timeout) {
        try (Socket socket = new Socket()) {
            socket.connect(address, (int) timeout.toMillis());
            return Outcome.ACCEPTED;
        } catch (SocketTimeoutException e) {
            return Outcome.SILENT;
        } catch (IOException e) {
            return Outcome.REFUSED;
        }
    }
}
