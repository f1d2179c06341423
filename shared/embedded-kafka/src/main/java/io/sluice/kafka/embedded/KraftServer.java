package io.sluice.kafka.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.SharedServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.fault.FaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Broker and controller in this process: the only class that knows Kafka's internals (of the pinned version).
 *
 * <p>It does what Kafka's own {@code KafkaRaftServer} does, apart from three things: the sockets are bound beforehand,
 * a fatal fault is reported instead of halting the whole process, and where Kafka halts it nevertheless, as it does when the
 * data folder fails, our log says so.
 */
final class KraftServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KraftServer.class);

    private static final long MEBIBYTE = 1 << 20;

    private final BrokerServer broker;
    private final ControllerServer controller;

    private KraftServer(BrokerServer broker, ControllerServer controller) {
        this.broker = broker;
        this.controller = controller;
    }

    /**
     * Formats the folder if it never was, starts, and returns when the broker serves clients.
     *
     * @param onFailure called on a fatal fault, at start or later, from any thread
     */
    static KraftServer start(
            Map<String, String> settings,
            Path data,
            List<ScramUser> users,
            ListenerSockets sockets,
            Consumer<Throwable> onFailure)
            throws Exception {
        // of the whole process: with several brokers in it, that of the last one
        Exit.setHaltProcedure((status, message) -> halt(status, data));
        KafkaConfig config = new KafkaConfig(settings, false);
        format(data, users);
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> directories =
                KafkaRaftServer.initializeLogDirs(config, log, "");
        SharedServer shared = new SharedServer(
                config,
                directories._1(),
                Time.SYSTEM,
                new Metrics(),
                CompletableFuture.completedFuture(
                        QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
                List.of(),
                (name, fatal, action) -> faultHandler(name, fatal, action, onFailure),
                (listener, address, backlog, receiveBuffer) -> sockets.take(listener));
        KraftServer server = new KraftServer(
                new BrokerServer(shared),
                new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2()));
        server.start(users);
        return server;
    }

    /** Kafka's own log may go to a file, or to the very disk that is full. */
    private static void halt(int status, Path data) {
        log.error(
                "the embedded broker failed and ends this process: data directory {}, {}; the cause is in the broker's log",
                data.toAbsolutePath(),
                space(data));
        Runtime.getRuntime().halt(status);
    }

    private static String space(Path data) {
        try {
            long free = Files.getFileStore(data).getUsableSpace();
            return free < MEBIBYTE ? "no space left" : free / MEBIBYTE + " MiB free";
        } catch (IOException e) {
            return "which cannot be read: " + e;
        }
    }

    private void start(List<ScramUser> users) {
        try {
            controller.startup();
            broker.startup();
            verify(users);
        } catch (Throwable failure) {
            close();
            throw failure;
        }
    }

    /** Once formatted, a folder keeps its cluster id and its users. */
    private static void format(Path data, List<ScramUser> users) throws Exception {
        if (clusterId(data).isPresent()) {
            return;
        }
        try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(nowhere)
                    .setNodeId(BrokerSettings.NODE_ID)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setControllerListenerName(BrokerSettings.CONTROLLER)
                    .addDirectory(data.toString())
                    .setMetadataLogDirectory(data.toString())
                    .setScramArguments(
                            users.stream().map(ScramUser::formatArgument).toList())
                    .run();
        }
    }

    private static Optional<String> clusterId(Path data) throws IOException {
        return new MetaPropertiesEnsemble.Loader()
                .addLogDirs(List.of(data.toString()))
                .load()
                .clusterId();
    }

    /** Users are made when a folder is formatted: a new one on an old folder would be refused at its first login. */
    private void verify(List<ScramUser> users) {
        var known = broker.metadataCache().currentImage().scram().mechanisms().values();
        for (ScramUser user : users) {
            if (known.stream().noneMatch(credentials -> credentials.containsKey(user.name()))) {
                throw new KafkaStartException("user " + user.name()
                        + " is unknown to the data directory, and users are made only with a new one;"
                        + " take an empty directory, or add the user through the admin client");
            }
        }
    }

    private static FaultHandler faultHandler(
            String name, boolean fatal, Runnable action, Consumer<Throwable> onFailure) {
        return (message, cause) -> {
            action.run();
            IllegalStateException failure = new IllegalStateException(
                    "Kafka fault in " + name + ": " + message + (cause == null ? "" : ": " + cause.getMessage()),
                    cause);
            if (fatal) {
                onFailure.accept(failure);
            } else {
                log.warn("{}", failure.getMessage(), cause);
            }
            return failure;
        };
    }

    String clusterId() {
        return broker.clusterId();
    }

    @Override
    public void close() {
        broker.shutdown();
        controller.shutdown();
        broker.awaitShutdown();
        controller.awaitShutdown();
    }
}
