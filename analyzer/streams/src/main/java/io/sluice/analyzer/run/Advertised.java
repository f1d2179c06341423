package io.sluice.analyzer.run;

import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Under which address the other instances reach this one's API. */
final class Advertised {
    private static final Logger log = LoggerFactory.getLogger(Advertised.class);

    private static final int ANY_PORT = 9;

    private Advertised() {}

    /**
     * The address it is bound to. Where that is "all of them", the one from which this machine reaches Kafka: the other instances reach
     * Kafka too, so they are likely to be on the same network. {@code null} when there is no page, or no address is found, of which there is a
     * warning.
     *
     * @param client with {@code bootstrap.servers}
     */
    static @Nullable String of(HttpSettings http, Map<String, Object> client) {
        if (http.port() == 0) {
            return null;
        }
        try {
            if (!InetAddress.getByName(http.bind()).isAnyLocalAddress()) {
                return bracketed(http.bind()) + ":" + http.port();
            }
        } catch (UnknownHostException e) {
            // nothing can listen there, so there is nothing to ask
            return null;
        }
        String servers = String.valueOf(client.get("bootstrap.servers"));
        InetAddress host = towards(servers);
        if (host == null) {
            log.warn(
                    "http.bind is {}, and no address of this machine leads to Kafka at {}: answers of other instances list the"
                            + " callers of this one as missing; set http.bind to an address of this machine that the others reach",
                    http.bind(),
                    servers);
            return null;
        }
        return bracketed(host.getHostAddress()) + ":" + http.port();
    }

    /** Returns the address from which the first server is reached that has a known host and a route. */
    private static @Nullable InetAddress towards(String servers) {
        for (String server : servers.split(",", -1)) {
            String host = Utils.getHost(server.strip());
            try {
                if (host != null) {
                    return towards(InetAddress.getByName(host));
                }
            } catch (IOException e) {
                // the next one may be known
            }
        }
        return null;
    }

    /** Connecting a datagram socket sends nothing: it only asks the routing table. */
    private static InetAddress towards(InetAddress server) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(server, ANY_PORT));
            return socket.getLocalAddress();
        }
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host.replaceAll("%.*", "") + "]" : host;
    }
}
