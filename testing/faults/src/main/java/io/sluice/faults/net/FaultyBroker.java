package io.sluice.faults.net;

import io.sluice.kafka.embedded.KafkaProcess;
import io.sluice.testing.FreePort;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A broker process with a listener of its own for each client that is to be cut off: a listener that advertises a
 * {@link TcpProxy}. Other clients connect directly. One thread.
 */
public final class FaultyBroker implements AutoCloseable {
    private final Map<String, TcpProxy> doors;
    private final KafkaProcess kafka;

    private FaultyBroker(Map<String, TcpProxy> doors, KafkaProcess kafka) {
        this.doors = doors;
        this.kafka = kafka;
    }

    /** A broker that can only be reached directly. */
    public static FaultyBroker start() {
        return start(Map.of());
    }

    /**
     * Starts a broker.
     *
     * @param doorAddresses the address that each door's proxy listens on, by the door's name: letters only
     */
    public static FaultyBroker start(Map<String, String> doorAddresses) {
        return start(doorAddresses, Map.of());
    }

    /**
     * Starts a broker that differs from the usual one.
     *
     * @param properties as in a broker's {@code server.properties}
     */
    public static FaultyBroker start(Map<String, String> doorAddresses, Map<String, String> properties) {
        return start(doorAddresses, properties, KafkaProcess.builder());
    }

    /** Starts a broker that keeps its data in a folder, such as a disk that can fill up. */
    public static FaultyBroker startIn(Path data) {
        return start(Map.of(), Map.of(), KafkaProcess.builder().data(data));
    }

    private static FaultyBroker start(
            Map<String, String> doorAddresses, Map<String, String> properties, KafkaProcess.Builder kafka) {
        int direct = FreePort.next();
        StringBuilder listeners = new StringBuilder("PLAINTEXT://127.0.0.1:" + direct);
        StringBuilder advertised = new StringBuilder(listeners);
        StringBuilder protocols = new StringBuilder("PLAINTEXT:PLAINTEXT");
        Map<String, TcpProxy> doors = new LinkedHashMap<>();
        doorAddresses.forEach((name, address) -> {
            int port = FreePort.next();
            TcpProxy door = TcpProxy.start(address, port);
            doors.put(name, door);
            listeners.append(",").append(name).append("://127.0.0.1:").append(port);
            advertised.append(",").append(name).append("://").append(door.address());
            protocols.append(",").append(name).append(":PLAINTEXT");
        });
        kafka.property("listeners", listeners.toString())
                .property("advertised.listeners", advertised.toString())
                .property("listener.security.protocol.map", protocols.toString());
        properties.forEach(kafka::property);
        return new FaultyBroker(doors, kafka.start());
    }

    /** The direct way. */
    public String bootstrap() {
        return kafka.bootstrapServers();
    }

    /** The way through a door. */
    public String bootstrap(String door) {
        return door(door).address();
    }

    /** The proxy of a door. */
    public TcpProxy door(String name) {
        TcpProxy door = doors.get(name);
        if (door == null) {
            throw new IllegalArgumentException("no door " + name + ", there are " + doors.keySet());
        }
        return door;
    }

    /** The process, to be killed, frozen and restarted. */
    public KafkaProcess process() {
        return kafka;
    }

    @Override
    public void close() {
        doors.values().forEach(TcpProxy::close);
        kafka.close();
    }
}
