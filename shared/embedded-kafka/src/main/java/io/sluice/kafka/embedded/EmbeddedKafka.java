package io.sluice.kafka.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running broker in this process, on loopback addresses only.
 *
 * <pre>{@code
 * try (EmbeddedKafka kafka = EmbeddedKafka.builder().start()) {
 *     properties.put("bootstrap.servers", kafka.bootstrapServers());
 * }
 * }</pre>
 *
 * <p>Topics are not created by themselves; every replication factor is 1. Thread-safe.
 */
public final class EmbeddedKafka implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedKafka.class);

    static final String LONG_SESSION_MILLIS = "600000";
    private static final String SERVER = "/kafka/server/SharedServer.class";

    private final DataDirectory data;
    private final Map<String, ListenerAddress> addresses;
    private final KraftServer server;
    private boolean closed;

    private EmbeddedKafka(DataDirectory data, Map<String, ListenerAddress> addresses, KraftServer server) {
        this.data = data;
        this.addresses = addresses;
        this.server = server;
    }

    /**
     * A broker on a free port with temporary data by default.
     *
     * @throws KafkaStartException when the broker's libraries are not on the class path, as in the image
     */
    public static Builder builder() {
        if (EmbeddedKafka.class.getResource(SERVER) == null) {
            throw new KafkaStartException(
                    "no cluster is configured, and this installation has no broker of its own; kafka.bootstrap.servers names a"
                            + " cluster, for example SLUICE_KAFKA_BOOTSTRAP_SERVERS=kafka:9092");
        }
        return new Builder();
    }

    /** {@code host:port} of the first client listener. */
    public String bootstrapServers() {
        return addresses.values().iterator().next().authority();
    }

    /**
     * {@code host:port} of one client listener.
     *
     * @throws IllegalArgumentException when there is no listener of that name
     */
    public String bootstrapServers(String listener) {
        ListenerAddress address = addresses.get(listener);
        if (address == null) {
            throw new IllegalArgumentException("no listener " + listener + ", there are " + addresses.keySet());
        }
        return address.authority();
    }

    /** The cluster's id; the same one whenever kept data is used again. */
    public String clusterId() {
        return server.clusterId();
    }

    /** The folder with the broker's data. */
    public Path data() {
        return data.path();
    }

    /** Stops the broker within a second or so and deletes temporary data. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                server.close();
            } finally {
                data.close();
            }
        }
    }

    /** How a broker is to be; every method returns the builder. */
    public static final class Builder {

        private int port;
        private @Nullable Path data;
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final List<ScramUser> users = new ArrayList<>();
        private Consumer<Throwable> onFailure = failure -> log.error("the embedded broker failed", failure);

        private Builder() {}

        /** The port of the listener {@code PLAINTEXT} on 127.0.0.1: 1 to 65535, or 0 (the default) for a free one. */
        public Builder port(int port) {
            ListenerAddress.requirePort(port);
            this.port = port;
            return this;
        }

        /** Keeps the data in this folder, made if missing; without it the data is temporary. */
        public Builder data(Path folder) {
            this.data = folder;
            return this;
        }

        /**
         * Any broker setting. {@code listeners} may name several, on loopback addresses, with port 0 for a free one;
         * what makes the broker an embedded one (roles, folders, its own listeners) is refused at start.
         */
        public Builder property(String key, String value) {
            properties.put(key, value);
            return this;
        }

        /**
         * A SCRAM-SHA-512 user, made when the data folder is first used. With users, SCRAM-SHA-512 is what the SASL
         * listeners take, unless properties set others.
         */
        public Builder user(String name, String password) {
            users.add(new ScramUser(name, password));
            return this;
        }

        /** Called, from any thread, when the running broker fails for good; by default the failure is logged. */
        public Builder onFailure(Consumer<Throwable> listener) {
            this.onFailure = listener;
            return this;
        }

        /**
         * Starts the broker; it serves clients when this returns.
         *
         * @throws IllegalArgumentException when a setting is wrong
         * @throws KafkaStartException when a port or the data folder is in use, or the broker does not come up
         */
        public EmbeddedKafka start() {
            Map<String, String> given = new LinkedHashMap<>(properties);
            if (data == null) {
                // never restarted after a kill: nothing waits for the end of its session, and a standstill must not
                // fence it
                given.putIfAbsent("broker.session.timeout.ms", LONG_SESSION_MILLIS);
            }
            BrokerSettings settings = new BrokerSettings(given, !users.isEmpty());
            List<ListenerAddress> wanted = settings.listeners(port);
            DataDirectory directory = DataDirectory.open(data);
            // until it serves, a failure is what start throws
            AtomicBoolean serving = new AtomicBoolean();
            try (ListenerSockets sockets = ListenerSockets.bind(wanted)) {
                KraftServer server = KraftServer.start(
                        settings.complete(directory.path(), sockets), directory.path(), users, sockets, failure -> {
                            if (serving.get()) {
                                onFailure.accept(failure);
                            } else {
                                log.debug("while starting", failure);
                            }
                        });
                serving.set(true);
                return new EmbeddedKafka(directory, sockets.clients(), server);
            } catch (KafkaStartException | IllegalArgumentException explained) {
                directory.close();
                throw explained;
            } catch (Exception failure) {
                directory.close();
                throw new KafkaStartException("the embedded broker did not start: " + failure.getMessage(), failure);
            }
        }
    }
}
