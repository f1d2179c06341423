package io.sluice.agent;

import io.sluice.agent.internal.feed.ClientSettings;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.pseudonym.PseudonymousPolicies;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.contract.topic.RecordSignatures;
import io.sluice.contract.topic.TopicNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds a {@link GateAgent}. Not thread-safe. */
public final class GateAgentBuilder {
    private static final String BOOTSTRAP = "bootstrap.servers";
    /** Fleet rates are divided by the agents that sent a heartbeat within 15 s: two may be lost. */
    private static final Duration LONGEST_HEARTBEAT = Duration.ofSeconds(5);

    private static final String ENFORCE = "SLUICE_AGENT_ENFORCE";

    private final Map<String, Object> kafka = new HashMap<>();
    private @Nullable String service;
    private @Nullable String id;
    private String topicPrefix = "sluice.";
    private @Nullable String logTopic;
    private int logSpread;
    private boolean ownServiceOnly;
    private boolean enforce = true;
    private Duration maxLease = Duration.ofMinutes(10);
    private Duration staleAfter = Duration.ofSeconds(5);
    private Duration heartbeat = Duration.ofSeconds(5);
    private int gates = 500_000;
    private int logQueue = 10_000;
    private @Nullable PolicySet policies;
    private Pseudonyms pseudonyms = Pseudonyms.NONE;
    private List<QuotaStrategy> quotaStrategies = List.of();
    private Duration quotaWait = Duration.ofMillis(50);
    private @Nullable Path signingKeys;
    private boolean acceptUnsigned;
    private UnaryOperator<@Nullable String> environment = System::getenv;

    GateAgentBuilder() {}

    /**
     * Adds settings of the Kafka clients, such as {@code bootstrap.servers} and security settings.
     *
     * @param settings names and values as Kafka defines them
     * @return this builder
     */
    public GateAgentBuilder kafka(Map<String, ?> settings) {
        kafka.putAll(settings);
        return this;
    }

    /**
     * Sets {@code bootstrap.servers}.
     *
     * @param servers {@code host:port}, several separated by commas
     * @return this builder
     */
    public GateAgentBuilder bootstrap(String servers) {
        kafka.put(BOOTSTRAP, servers);
        return this;
    }

    /**
     * Sets the service that the agent guards. Required.
     *
     * @param newService the name that policies and locks use; not blank, at most 256 characters
     * @return this builder
     */
    public GateAgentBuilder service(String newService) {
        service = newService;
        return this;
    }

    /**
     * Sets whether only requests of the agent's own service are checked. Defaults to false. If true, the agent does not hold the locks of
     * policies whose {@code match} or {@code closes} names other services only; a request of another service passes these locks.
     *
     * @param newOwnServiceOnly true when no request names another service, as {@code DependencyGate} and sidecars do
     * @return this builder
     */
    public GateAgentBuilder ownServiceOnly(boolean newOwnServiceOnly) {
        ownServiceOnly = newOwnServiceOnly;
        return this;
    }

    /**
     * Sets the agent's id. Defaults to the host name and six random hexadecimal digits.
     *
     * @param newId unique in the fleet; not blank, at most 256 characters
     * @return this builder
     */
    public GateAgentBuilder id(String newId) {
        id = newId;
        return this;
    }

    /**
     * Sets the prefix of all topic names. Defaults to {@code sluice.}.
     *
     * @param prefix the prefix
     * @return this builder
     */
    public GateAgentBuilder topicPrefix(String prefix) {
        topicPrefix = prefix;
        return this;
    }

    /**
     * Sets the topic of the access log. Defaults to {@code requests} behind the prefix, which all agents may write to. A topic of its own,
     * which is a source of the analyzer with {@code service: value:NAME}, lets a service report only its own callers.
     *
     * @param topic the whole name: up to 249 letters, digits, dots, dashes and underscores
     * @return this builder
     */
    public GateAgentBuilder logTopic(String topic) {
        logTopic = topic;
        return this;
    }

    /**
     * Sets in how many partitions the access log may hold the entries of one caller. By default there is no limit: entries are spread evenly
     * over all. A low number lets the analyzer hold back more if its source has the same {@code spread}, but the partitions of a caller that
     * sends much are fuller than others.
     *
     * @param spread 1 to 16
     * @return this builder
     */
    public GateAgentBuilder logSpread(int spread) {
        require(spread >= 1 && spread <= 16, "logSpread must be from 1 to 16, found " + spread);
        logSpread = spread;
        return this;
    }

    /**
     * Sets whether requests may be rejected. Defaults to true. The environment variable {@code SLUICE_AGENT_ENFORCE=false} also turns
     * rejections off; either is enough.
     *
     * @param newEnforce false to reject nothing
     * @return this builder
     */
    public GateAgentBuilder enforce(boolean newEnforce) {
        enforce = newEnforce;
        return this;
    }

    /**
     * Sets the longest lease: no lock of an analyzer holds longer without renewal. Defaults to 10 minutes.
     *
     * @param most from 1 s to 365 days
     * @return this builder
     */
    public GateAgentBuilder maxLease(Duration most) {
        maxLease = most;
        return this;
    }

    /**
     * Sets after which silence of an analyzer task the agent counts as stale. Defaults to 5 s.
     *
     * @param age from 100 ms to 365 days
     * @return this builder
     */
    public GateAgentBuilder staleAfter(Duration age) {
        staleAfter = age;
        return this;
    }

    /**
     * Sets the interval of the agent's heartbeats. Defaults to 5 s.
     *
     * @param interval from 100 ms to 5 s: an agent that was silent for 15 s has no part of fleet rates any more
     * @return this builder
     */
    public GateAgentBuilder heartbeat(Duration interval) {
        heartbeat = interval;
        return this;
    }

    /**
     * Sets how many subjects are kept in memory. Subjects beyond share one set of limiters per policy. Defaults to 500,000.
     *
     * @param most 1 or more
     * @return this builder
     */
    public GateAgentBuilder gates(int most) {
        gates = most;
        return this;
    }

    /**
     * Sets how many access-log entries may wait to be sent. Defaults to 10,000.
     *
     * @param most 1 or more
     * @return this builder
     */
    public GateAgentBuilder logQueue(int most) {
        logQueue = most;
        return this;
    }

    /**
     * Applies only records with a valid signature: locks, operator records and policies that the analyzer and operators have signed with the same
     * keys. Defaults to records as they are.
     *
     * @param keyFile the file of keys, as {@code topics.signing-key-file} of the analyzer
     * @param newAcceptUnsigned true while some writers do not sign yet
     * @return this builder
     */
    public GateAgentBuilder signedRecords(Path keyFile, boolean newAcceptUnsigned) {
        signingKeys = keyFile;
        acceptUnsigned = newAcceptUnsigned;
        return this;
    }

    /**
     * Replaces callers and addresses by pseudonyms in everything that leaves the process: the access log, and so all locks, pages and files made
     * from it. Policies must then name pseudonyms, too: commands and analyzers with the same keys write them. Policies of this builder may name
     * callers as they are. Defaults to no pseudonyms.
     *
     * @param newPseudonyms the keys
     * @return this builder
     */
    public GateAgentBuilder pseudonyms(Pseudonyms newPseudonyms) {
        pseudonyms = newPseudonyms;
        return this;
    }

    /**
     * Sets the central stores that policies may name in {@code strategy}. The agent closes them. Defaults to none: then limits of the fleet are applied
     * by equal shares.
     *
     * @param strategies with distinct names
     * @return this builder
     */
    public GateAgentBuilder quotaStrategy(QuotaStrategy... strategies) {
        quotaStrategies = List.of(strategies);
        return this;
    }

    /**
     * Sets how long a check waits for the answers of strategies, if policies name any. Then the agent's share of the limit decides. Defaults to 50 ms.
     *
     * @param wait from 1 ms to 10 s
     * @return this builder
     */
    public GateAgentBuilder quotaWait(Duration wait) {
        quotaWait = wait;
        return this;
    }

    /**
     * Sets policies that are in force until those of the topic have been read.
     *
     * @param set the policies
     * @return this builder
     */
    public GateAgentBuilder policies(PolicySet set) {
        policies = set;
        return this;
    }

    /**
     * Sets policies, as a JSON document, that are in force until those of the topic have been read.
     *
     * @param json the document in UTF-8
     * @return this builder
     * @throws IllegalArgumentException with all problems of the document
     */
    public GateAgentBuilder policies(byte[] json) {
        return policies(json, "policies");
    }

    /**
     * Reads policies from a JSON file at once. They are in force until those of the topic have been read.
     *
     * @param json the file
     * @return this builder
     * @throws IllegalArgumentException with all problems of the document
     * @throws UncheckedIOException when the file cannot be read
     */
    public GateAgentBuilder policies(Path json) {
        try {
            return policies(Files.readAllBytes(json), json.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("policies " + json + " cannot be read", e);
        }
    }

    private GateAgentBuilder policies(byte[] json, String name) {
        try {
            policies = PolicySetReader.read(JsonNodes.read(json, name));
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
     * Starts the agent and returns at once, whatever state Kafka is in: all clients run on the agent's own threads.
     *
     * @return a started agent, to be closed with the process
     * @throws IllegalArgumentException when a setting is missing or out of range; never because of Kafka
     */
    public GateAgent build() {
        require(kafka.containsKey(BOOTSTRAP), "bootstrap is missing: where is Kafka?");
        require(service != null && !service.isBlank(), "service is missing: what does the agent guard?");
        requireName("service", service);
        require(id == null || !id.isBlank(), "id must not be blank");
        requireName("id", id);
        require(
                logTopic == null || logTopic.matches("[A-Za-z0-9._-]{1,249}"),
                "logTopic may have up to 249 letters, digits, dots, dashes and underscores, found " + logTopic);
        require(atLeast(maxLease, 1000), "maxLease must be from 1 s to 365 days, found " + maxLease);
        require(atLeast(staleAfter, 100), "staleAfter must be from 100 ms to 365 days, found " + staleAfter);
        require(
                atLeast(heartbeat, 100) && heartbeat.compareTo(LONGEST_HEARTBEAT) <= 0,
                "heartbeat must be from 100 ms to 5 s, found " + heartbeat);
        require(gates >= 1, "gates must be 1 or more, found " + gates);
        require(logQueue >= 1, "logQueue must be 1 or more, found " + logQueue);
        require(
                quotaWait.compareTo(Duration.ofMillis(1)) >= 0 && quotaWait.compareTo(Duration.ofSeconds(10)) <= 0,
                "quotaWait must be from 1 ms to 10 s, found " + quotaWait);
        Set<String> names = new HashSet<>();
        for (QuotaStrategy strategy : quotaStrategies) {
            require(names.add(strategy.name()), "quotaStrategy needs distinct names, found twice: " + strategy.name());
        }
        if (signingKeys != null) {
            // signatures are required by topic, so not before the prefix is known
            kafka.putAll(RecordSignatures.settings(signingKeys, new TopicNames(topicPrefix), acceptUnsigned));
        }
        ClientSettings.check(kafka);
        // settings() throws before the constructor starts a thread
        return new GateAgent(settings());
    }

    private static boolean atLeast(Duration duration, long millis) {
        return duration.compareTo(Duration.ofMillis(millis)) >= 0 && duration.compareTo(Duration.ofDays(365)) <= 0;
    }

    /** The fleet ignores heartbeats with longer names. */
    private static void requireName(String setting, @Nullable String name) {
        int length = name == null ? 0 : name.length();
        int most = AgentHeartbeat.LONGEST_NAME;
        require(length <= most, setting + " must have at most " + most + " characters, found " + length);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private AgentSettings settings() {
        TopicNames topics = new TopicNames(topicPrefix);
        return new AgentSettings(
                Map.copyOf(kafka),
                topics,
                logTopic == null ? topics.requests() : logTopic,
                logSpread,
                logQueue,
                heartbeat.toMillis(),
                quotaStrategies,
                quotaWait.toNanos(),
                pseudonyms,
                localPolicies(),
                decisionSettings());
    }

    private Optional<PolicySet> localPolicies() {
        try {
            return policies == null ? Optional.empty() : Optional.of(PseudonymousPolicies.of(policies, pseudonyms));
        } catch (InvalidPolicies e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private DecisionState.Settings decisionSettings() {
        boolean off = "false"
                .equalsIgnoreCase(String.valueOf(environment.apply(ENFORCE)).strip());
        return new DecisionState.Settings(
                id == null ? AgentId.of(environment.apply("HOSTNAME")) : id,
                service == null ? "" : service,
                enforce && !off,
                maxLease.toMillis(),
                staleAfter.toMillis(),
                gates,
                ownServiceOnly);
    }
}
