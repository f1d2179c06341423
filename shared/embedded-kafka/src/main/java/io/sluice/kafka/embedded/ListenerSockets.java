package io.sluice.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The server sockets of a broker, bound before it starts.
 *
 * <p>Kafka must know its ports before it opens them: it advertises them and names its own controller by port. Bound
 * first, a free port cannot be taken by another process in between, and a taken one is found before anything was started.
 */
final class ListenerSockets implements AutoCloseable {

    private static final int BACKLOG = 50;

    private final Map<String, ServerSocketChannel> channels = new LinkedHashMap<>();
    private final Map<String, ListenerAddress> addresses = new LinkedHashMap<>();

    private ListenerSockets() {}

    /**
     * Binds all of them or none.
     *
     * @throws KafkaStartException when a port is in use
     */
    static ListenerSockets bind(List<ListenerAddress> wanted) {
        ListenerSockets sockets = new ListenerSockets();
        try {
            wanted.forEach(sockets::open);
            return sockets;
        } catch (RuntimeException failure) {
            sockets.close();
            throw failure;
        }
    }

    private void open(ListenerAddress wanted) {
        if (addresses.containsKey(wanted.name())) {
            throw new IllegalArgumentException("listener " + wanted.name() + " is given twice");
        }
        try {
            ServerSocketChannel channel = ServerSocketChannel.open();
            channels.put(wanted.name(), channel);
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(wanted.host(), wanted.port()), BACKLOG);
            addresses.put(wanted.name(), wanted.withPort(channel.socket().getLocalPort()));
        } catch (IOException taken) {
            throw new KafkaStartException(
                    "cannot listen on " + wanted.authority() + " (listener " + wanted.name() + "): port "
                            + wanted.port()
                            + " is in use or not allowed; stop what listens there, choose another port, or 0 for a free one",
                    taken);
        }
    }

    /** Where each listener really listens, by name, in the order they were asked for. */
    Map<String, ListenerAddress> addresses() {
        return addresses;
    }

    /** Where clients reach the broker, by listener name. */
    Map<String, ListenerAddress> clients() {
        Map<String, ListenerAddress> clients = new LinkedHashMap<>(addresses);
        clients.keySet().removeAll(List.of(BrokerSettings.INTERNAL, BrokerSettings.CONTROLLER));
        return clients;
    }

    /** The listener's address; there must be such a listener. */
    ListenerAddress address(String name) {
        ListenerAddress address = addresses.get(name);
        if (address == null) {
            throw new IllegalArgumentException("no listener " + name + ", there are " + addresses.keySet());
        }
        return address;
    }

    /** Hands a socket over: from now on the broker closes it. */
    ServerSocketChannel take(String name) throws IOException {
        ServerSocketChannel channel = channels.remove(name);
        if (channel == null) {
            throw new IOException("socket of listener " + name + " was already handed over");
        }
        return channel;
    }

    /** Closes what was never handed over. */
    @Override
    public void close() {
        for (ServerSocketChannel channel : channels.values()) {
            try {
                channel.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        channels.clear();
    }
}
