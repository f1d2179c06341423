package io.sluice.kafka.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The broker's settings: what one node needs, then what the user gave, then what must be so.
 *
 * <p>The broker talks to itself and to its controller over two listeners of its own, with a name and password drawn
 * anew at every start. So an authorizer can be used without making every anonymous client a super user, and no other
 * process on this machine can pose as the broker.
 */
final class BrokerSettings {

    static final int NODE_ID = 1;
    static final String INTERNAL = "INTERNAL";
    static final String CONTROLLER = "CONTROLLER";

    private static final String LISTENERS = "listeners";
    private static final String ADVERTISED = "advertised.listeners";
    private static final String PROTOCOLS = "listener.security.protocol.map";
    private static final String SUPER_USERS = "super.users";
    private static final String OWN_PROTOCOLS = INTERNAL + ":SASL_PLAINTEXT," + CONTROLLER + ":SASL_PLAINTEXT";
    private static final String USUAL_PROTOCOLS =
            "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL";

    /** Settings that a user cannot change, because the broker would not start, or not as an embedded one. */
    private static final Set<String> OURS = Set.of(
            "process.roles",
            "node.id",
            "broker.id",
            "log.dir",
            "log.dirs",
            "metadata.log.dir",
            "inter.broker.listener.name",
            "security.inter.broker.protocol",
            "sasl.mechanism.inter.broker.protocol",
            "sasl.mechanism.controller.protocol",
            "controller.listener.names",
            "controller.quorum.voters",
            "controller.quorum.bootstrap.servers");

    private static final Map<String, String> SINGLE_NODE = Map.ofEntries(
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("offsets.topic.num.partitions", "4"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("transaction.state.log.num.partitions", "4"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("share.coordinator.state.topic.min.isr", "1"),
            Map.entry("share.coordinator.state.topic.num.partitions", "4"),
            Map.entry("default.replication.factor", "1"),
            Map.entry("min.insync.replicas", "1"),
            // a group's first member need not wait for others: the tests and the demo start one after the other
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            // a misspelt topic is an error, not a new topic
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("delete.topic.enable", "true"),
            Map.entry("log.cleaner.enable", "true"),
            // 128 MB by default, allocated at once: too much for a guest in the host's heap
            Map.entry("log.cleaner.dedupe.buffer.size", "16777216"),
            Map.entry("num.network.threads", "2"),
            Map.entry("num.io.threads", "4"),
            Map.entry("num.recovery.threads.per.data.dir", "2"),
            Map.entry("background.threads", "4"),
            // a broker restarted after a kill waits this long, until the session of the dead one has run out
            Map.entry("broker.session.timeout.ms", "3000"),
            Map.entry("broker.heartbeat.interval.ms", "500"));

    private final Map<String, String> given;
    private final boolean scram;

    /**
     * @param given the user's own
     * @param scram whether there are SCRAM users, for which every SASL listener is then prepared
     * @throws IllegalArgumentException for a setting that the embedded broker makes itself
     */
    BrokerSettings(Map<String, String> given, boolean scram) {
        for (String key : given.keySet()) {
            if (OURS.contains(key)
                    || key.startsWith("listener.name.internal.")
                    || key.startsWith("listener.name.controller.")) {
                throw new IllegalArgumentException("property " + key + " cannot be given: the embedded broker sets it");
            }
        }
        this.given = Map.copyOf(given);
        this.scram = scram;
    }

    /** The client listeners first, then the broker's own two. */
    List<ListenerAddress> listeners(int port) {
        List<ListenerAddress> all = new ArrayList<>();
        String listeners = given.get(LISTENERS);
        if (listeners == null) {
            all.add(new ListenerAddress(ListenerAddress.DEFAULT_NAME, ListenerAddress.LOOPBACK, port));
        } else if (port != 0) {
            throw new IllegalArgumentException(
                    "port " + port + " and the property listeners are both given; one will do");
        } else {
            all.addAll(ListenerAddress.parseAll(listeners));
        }
        for (ListenerAddress client : all) {
            if (client.name().equals(INTERNAL) || client.name().equals(CONTROLLER)) {
                throw new IllegalArgumentException(
                        "listener " + client.name() + " is the broker's own, choose another name");
            }
        }
        all.add(new ListenerAddress(INTERNAL, ListenerAddress.LOOPBACK, 0));
        all.add(new ListenerAddress(CONTROLLER, ListenerAddress.LOOPBACK, 0));
        return all;
    }

    /** Returns all settings of the broker. */
    Map<String, String> complete(Path data, ListenerSockets sockets) {
        Map<String, String> settings = new LinkedHashMap<>(SINGLE_NODE);
        if (scram) {
            settings.put("sasl.enabled.mechanisms", ScramUser.MECHANISM);
            sockets.clients().keySet().forEach(name -> settings.put(scramLogin(name), ScramUser.LOGIN_MODULE));
        }
        settings.putAll(given);

        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(NODE_ID));
        settings.put("log.dirs", data.toString());
        settings.put(LISTENERS, uris(sockets, sockets.addresses().keySet()));
        settings.put(ADVERTISED, advertised(sockets));
        settings.put(PROTOCOLS, given.getOrDefault(PROTOCOLS, USUAL_PROTOCOLS) + "," + OWN_PROTOCOLS);
        settings.put("inter.broker.listener.name", INTERNAL);
        settings.put("controller.listener.names", CONTROLLER);
        settings.put(
                "controller.quorum.voters",
                NODE_ID + "@" + sockets.address(CONTROLLER).authority());

        String self = "broker-" + secret();
        settings.putAll(credentials(self, secret()));
        settings.merge(SUPER_USERS, "User:" + self, (users, broker) -> users + ";" + broker);
        return settings;
    }

    private String advertised(ListenerSockets sockets) {
        String wanted = given.get(ADVERTISED);
        return (wanted == null ? uris(sockets, sockets.clients().keySet()) : wanted) + ","
                + uris(sockets, Set.of(INTERNAL));
    }

    private static String uris(ListenerSockets sockets, Set<String> names) {
        return names.stream().map(name -> sockets.address(name).uri()).collect(Collectors.joining(","));
    }

    private static Map<String, String> credentials(String self, String password) {
        String login =
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\" user_%s=\"%s\";"
                        .formatted(self, password, self, password);
        return Map.of(
                "sasl.mechanism.inter.broker.protocol", "PLAIN",
                "sasl.mechanism.controller.protocol", "PLAIN",
                "listener.name.internal.sasl.enabled.mechanisms", "PLAIN",
                "listener.name.internal.plain.sasl.jaas.config", login,
                "listener.name.controller.sasl.enabled.mechanisms", "PLAIN",
                "listener.name.controller.plain.sasl.jaas.config", login);
    }

    private static String scramLogin(String listener) {
        return "listener.name.%s.%s.sasl.jaas.config"
                .formatted(listener, ScramUser.MECHANISM)
                .toLowerCase(Locale.ROOT);
    }

    private static String secret() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
