package io.sluice.analyzer.cli;

import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.EmbeddedKafka;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/**
 * A real broker in a cluster that has lost another one: partition 0 of each topic is there, partition 1 has no leader. The lost broker is
 * registered at the real controller, unfenced until the topics exist, and fenced then. Reflection, because the controller is no API.
 */
final class ClusterWithLostBroker implements AutoCloseable {
    private static final int PRESENT = 1;
    private static final int LOST = 2;

    // the lost broker sends no heartbeats while the topics are made: after this time it would be fenced
    private final EmbeddedKafka broker = EmbeddedKafka.builder()
            .property("broker.session.timeout.ms", "600000")
            .start();
    private final Object controller;
    private final long epoch;

    ClusterWithLostBroker(List<String> topics) throws Exception {
        controller = call(field(field(broker, "server"), "controller"), "controller");
        try (Admin admin = Admin.create(client())) {
            epoch = (long) call(answer("registerBroker", registration(admin)), "epoch");
            answer("processBrokerHeartbeat", heartbeat(false));
            admin.createTopics(topics.stream()
                            .map(name -> new NewTopic(name, Map.of(0, List.of(PRESENT), 1, List.of(LOST))))
                            .toList())
                    .all()
                    .get();
            answer("processBrokerHeartbeat", heartbeat(true));
            await().ignoreExceptions()
                    .until(() -> admin.describeTopics(topics).allTopicNames().get().values().stream()
                            .allMatch(topic -> topic.partitions().get(0).leader() != null
                                    && topic.partitions().get(1).leader() == null));
        }
    }

    Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", bootstrapServers()));
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    private BrokerRegistrationRequestData registration(Admin admin) throws Exception {
        var features = new BrokerRegistrationRequestData.FeatureCollection();
        admin.describeFeatures()
                .featureMetadata()
                .get()
                .finalizedFeatures()
                .forEach((name, range) -> features.add(new BrokerRegistrationRequestData.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.minVersionLevel())
                        .setMaxSupportedVersion(range.maxVersionLevel())));
        var listeners = new BrokerRegistrationRequestData.ListenerCollection();
        for (String name : List.of("PLAINTEXT", "INTERNAL")) {
            listeners.add(new BrokerRegistrationRequestData.Listener()
                    .setName(name)
                    .setHost("127.0.0.1")
                    .setPort(1));
        }
        return new BrokerRegistrationRequestData()
                .setBrokerId(LOST)
                .setClusterId(broker.clusterId())
                .setIncarnationId(Uuid.randomUuid())
                .setFeatures(features)
                .setListeners(listeners)
                .setLogDirs(List.of(Uuid.randomUuid()));
    }

    private BrokerHeartbeatRequestData heartbeat(boolean fenced) {
        return new BrokerHeartbeatRequestData()
                .setBrokerId(LOST)
                .setBrokerEpoch(epoch)
                .setCurrentMetadataOffset(epoch)
                .setWantFence(fenced);
    }

    private Object answer(String method, Object request) throws Exception {
        Object context = Class.forName("org.apache.kafka.controller.ControllerRequestContext")
                .getConstructor(RequestHeaderData.class, KafkaPrincipal.class, OptionalLong.class)
                .newInstance(new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty());
        return ((Future<?>) call(controller, method, context, request)).get();
    }

    private static Object call(Object on, String method, Object... arguments) throws Exception {
        var found = Stream.of(on.getClass().getMethods())
                .filter(each -> each.getName().equals(method) && each.getParameterCount() == arguments.length)
                .findFirst()
                .orElseThrow();
        return open(found).invoke(on, arguments);
    }

    private static Object field(Object of, String name) throws Exception {
        Field field = open(of.getClass().getDeclaredField(name));
        return field.get(of);
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    @Override
    public void close() {
        broker.close();
    }
}
