package io.sluice.agent;

import io.sluice.agent.internal.feed.ClientSettings;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.policy.Problem;
import io.sluice.contract.policy.Unsupported;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Describes an agent. Not thread-safe. */
public final class GateAgentBuilder {
    private static final String BOOTSTRAP = "bootstrap.servers";
    private static final String ENFORCE = "SLUICE_AGENT_ENFORCE";

    private final Map<String, Object> kafka = new HashMap<>();
    private @Nullable String service;
    private @Nullable String id;
    private String topicPrefix = "sluice.";
    private boolean enforce = true;
    private Duration maxLease = Duration.ofMinutes(10);
    private Duration staleAfter = Duration.ofSeconds(5);
    private Duration heartbeat = Duration.ofSeconds(5);
    private int gates = 500_000;
    private int logQueue = 10_000;
    private @Nullable PolicySet policies;
    private UnaryOperator<@Nullable String> environment = System::getenv;

    GateAgentBuilder() {}

    /** Settings of the Kafka clients, such as {@code bootstrap.servers} and those for security. */
    public GateAgentBuilder kafka(Map<String, ?> settings) {
        kafka.putAll(settings);
        return this;
    }

    /** Where Kafka is: {@code host:port}, several separated by commas. */
    public GateAgentBuilder bootstrap(String servers) {
        kafka.put(BOOTSTRAP, servers);
        return this;
    }

    /** The service that the agent guards, as policies and locks call it. */
    public GateAgentBuilder service(String newService) {
        service = newService;
        return this;
    }

    /** The agent's id, unique in the fleet; the host's name and six random characters unless said. */
    public GateAgentBuilder id(String newId) {
        id = newId;
        return this;
    }

    /** What stands in front of the topics' names; {@code sluice.} unless said. */
    public GateAgentBuilder topicPrefix(String prefix) {
        topicPrefix = prefix;
        return this;
    }

    /** False: nothing is rejected. The environment's {@code SLUICE_AGENT_ENFORCE=false} says the same; any no wins. */
    public GateAgentBuilder enforce(boolean newEnforce) {
        enforce = newEnforce;
        return this;
    }

    /** The longest that any lock of an analyzer is believed, whatever the lock says; 10 minutes unless said. */
    public GateAgentBuilder maxLease(Duration most) {
        maxLease = most;
        return this;
    }

    /** How old an analyzer task's newest heartbeat may be before the agent calls itself stale; 5 s unless said. */
    public GateAgentBuilder staleAfter(Duration age) {
        staleAfter = age;
        return this;
    }

    /** How often the agent tells how it is; 5 s unless said. */
    public GateAgentBuilder heartbeat(Duration interval) {
        heartbeat = interval;
        return this;
    }

    /** Most subjects kept in memory; those beyond share one gate a policy. 500,000 unless said. */
    public GateAgentBuilder gates(int most) {
        gates = most;
        return this;
    }

    /** Most access-log entries waiting to be sent; 10,000 unless said. */
    public GateAgentBuilder logQueue(int most) {
        logQueue = most;
        return this;
    }

    /** Policies in force until those of the topic have been read. */
    public GateAgentBuilder policies(PolicySet set) {
        policies = set;
        return this;
    }

    /**
     * Policies as a JSON document, in force until those of the topic have been read.
     *
     * @throws IllegalArgumentException naming all that is wrong in it
     */
    public GateAgentBuilder policies(byte[] json) {
        return policies(json, "policies");
    }

    /**
     * A file of policies as JSON, in force until those of the topic have been read. It is read at once.
     *
     * @throws IllegalArgumentException naming all that is wrong in it
     * @throws UncheckedIOException when it can't be read
     */
    public GateAgentBuilder policies(Path json) {
        try {
            return policies(Files.readAllBytes(json), json.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("policies " + json + " can't be read", e);
        }
    }

    private GateAgentBuilder policies(byte[] json, String name) {
        try {
            Node document = JsonNodes.read(json, name);
            policies = PolicySetReader.read(document);
            List<Problem> unsupported = Unsupported.in(document);
            if (!unsupported.isEmpty()) {
                throw new InvalidPolicies(unsupported);
            }
            return this;
        } catch (MalformedRecord | InvalidPolicies e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    GateAgentBuilder environment(UnaryOperator<@Nullable String> newEnvironment) {
        environment = newEnvironment;
        return this;
    }

    /**
     * Starts the agent. Returns at once, in whatever state Kafka is: all clients live on the agent's own threads.
     *
     * @throws IllegalArgumentException when the description is not complete or out of range; never because of Kafka
     */
    public GateAgent build() {
        require(kafka.containsKey(BOOTSTRAP), "bootstrap is missing: where is Kafka?");
        require(service != null && !service.isBlank(), "service is missing: what does the agent guard?");
        require(id == null || !id.isBlank(), "id must not be blank");
        require(atLeast(maxLease, 1000), "maxLease must be 1 s or more, found " + maxLease);
        require(atLeast(staleAfter, 100), "staleAfter must be 100 ms or more, found " + staleAfter);
        require(atLeast(heartbeat, 100), "heartbeat must be 100 ms or more, found " + heartbeat);
        require(gates >= 1, "gates must be 1 or more, found " + gates);
        require(logQueue >= 1, "logQueue must be 1 or more, found " + logQueue);
        ClientSettings.check(kafka);
        return new GateAgent(this, Map.copyOf(kafka));
    }

    private static boolean atLeast(Duration duration, long millis) {
        return duration.compareTo(Duration.ofMillis(millis)) >= 0 && duration.compareTo(Duration.ofDays(365)) <= 0;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    String id() {
        if (id == null) {
            String host = environment.apply("HOSTNAME");
            String random = Integer.toHexString(ThreadLocalRandom.current().nextInt(0x100000, 0x1000000));
            // asking for the host's name could mean asking a name server
            id = (host == null || host.isBlank() ? hostFile() : host) + "-" + random;
        }
        return id;
    }

    private static String hostFile() {
        try {
            String name = Files.readString(Path.of("/etc/hostname")).strip();
            return name.isEmpty() ? "agent" : name;
        } catch (IOException | RuntimeException e) {
            return "agent";
        }
    }

    String service() {
        return service == null ? "" : service;
    }

    String topicPrefix() {
        return topicPrefix;
    }

    int logQueue() {
        return logQueue;
    }

    long heartbeatMillis() {
        return heartbeat.toMillis();
    }

    Optional<PolicySet> localPolicies() {
        return Optional.ofNullable(policies);
    }

    DecisionState.Settings settings() {
        boolean off = "false"
                .equalsIgnoreCase(String.valueOf(environment.apply(ENFORCE)).strip());
        return new DecisionState.Settings(
                id(), service(), enforce && !off, maxLease.toMillis(), staleAfter.toMillis(), gates);
    }
}
