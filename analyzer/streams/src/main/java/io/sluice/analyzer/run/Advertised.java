package io.sluice.analyzer.run;

import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Under which address the other instances reach this one's API. */
final class Advertised {
    private Advertised() {}

    /**
     * The address it is bound to. Where that is "all of them", the one from which this machine reaches Kafka: the other instances reach
     * Kafka too, so they are likely to be on the same network. {@code null} when there is no page, or no address is found.
     *
     * @param client with {@code bootstrap.servers}
     */
    static @Nullable String of(HttpSettings http, Map<String, Object> client) {
        if (http.port() == 0) {
            return null;
        }
        try {
            InetAddress bound = InetAddress.getByName(http.bind());
            InetAddress host = bound.isAnyLocalAddress() ? towards(client) : bound;
            return host == null
                    ? null
                    : bracketed(bound.isAnyLocalAddress() ? host.getHostAddress() : http.bind()) + ":" + http.port();
        } catch (IOException | IllegalArgumentException e) {
            // where it can't be found out, this instance answers for itself alone, and the others list it as missing
            // missing
            return null;
        }
    }

    /** Connecting a datagram socket sends nothing: it only asks the routing table. */
    private static @Nullable InetAddress towards(Map<String, Object> client) throws IOException {
        URI broker = URI.create(
                "kafka://" + String.valueOf(client.get("bootstrap.servers")).replaceAll(",.*", ""));
        if (broker.getHost() == null) {
            return null;
        }
        InetSocketAddress address = new InetSocketAddress(broker.getHost(), broker.getPort());
        if (address.isUnresolved()) {
            return null;
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address);
            return socket.getLocalAddress();
        }
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host.replaceAll("%.*", "") + "]" : host;
    }
}
