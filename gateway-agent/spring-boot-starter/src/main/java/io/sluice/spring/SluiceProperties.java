package io.sluice.spring;

import io.sluice.contract.event.Identity;
import io.sluice.contract.topic.MaskedSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * The properties of an application's gate.
 *
 * @param enabled false: no agent, no filter, no threads
 */
@ConfigurationProperties("sluice")
public record SluiceProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Kafka kafka,
        @DefaultValue Topics topics,
        @DefaultValue Agent agent,
        @DefaultValue Filter filter,
        @DefaultValue Signals signals) {

    /**
     * Where Kafka is.
     *
     * @param bootstrapServers host:port, several separated by commas
     * @param properties more settings of the Kafka clients, such as those for security
     */
    public record Kafka(
            @Nullable String bootstrapServers, @DefaultValue Map<String, String> properties) {

        /** Names everything, and shows no secret. */
        @Override
        public String toString() {
            return "Kafka[bootstrapServers=" + bootstrapServers + ", properties=" + MaskedSettings.text(properties)
                    + "]";
        }
    }

    /**
     * Sluice's topics.
     *
     * @param prefix what stands in front of their names
     * @param signingKeyFile keys of the signatures that locks, policies and operator records must have
     * @param unsigned {@code accept} lets records without a signature through, while some writers do not sign yet
     */
    public record Topics(
            @DefaultValue("sluice.") String prefix,
            @Nullable Path signingKeyFile,
            @DefaultValue("refuse") Unsigned unsigned) {}

    /** Records without a signature. */
    public enum Unsigned {
        REFUSE,
        ACCEPT
    }

    /**
     * The agent.
     *
     * @param id its name, unique in the fleet; by default the host's name and six random characters
     * @param service what policies and locks call this service; by default spring.application.name
     * @param policies policies as JSON, in force until those of the topic have been read
     * @param enforce false: nothing is rejected
     * @param maxLease the longest that any lock is believed; 1s or more
     * @param staleAfter how old an analyzer's newest heartbeat may be; 100ms or more
     * @param heartbeat the interval of the agent's heartbeats; 100ms to 5s
     * @param gates most subjects kept in memory
     * @param logTopic the topic of the access log; by default requests behind the prefix
     * @param logSpread the most partitions of the access log with entries of one caller, 1 to 16; by default all
     * @param logQueue most access-log entries waiting to be sent
     * @param caller the source of the caller that a request is charged to: address, principal or header:NAME
     * @param identity how far a caller from header or principal can be believed: a principal is authenticated and a header claimed
     *     by default; a claimed identity never causes a lock
     * @param trustedProxies addresses and networks of our own proxies, whose X-Forwarded-For is believed
     * @param ipv6Prefix how many leading bits of an IPv6 address make one caller, 1 to 128
     * @param pseudonymKeyFile keys of the pseudonyms that replace callers and addresses in everything that leaves the service
     * @param quotaWait the longest wait for the answer of a central store of quotas, 1ms to 10s
     * @param quota settings of central stores of quotas, by the name of the strategy
     */
    public record Agent(
            @Nullable String id,
            @Nullable String service,
            @Nullable Resource policies,
            @DefaultValue("true") boolean enforce,
            @DefaultValue("10m") Duration maxLease,
            @DefaultValue("5s") Duration staleAfter,
            @DefaultValue("5s") Duration heartbeat,
            @DefaultValue("500000") int gates,
            @Nullable String logTopic,
            @Nullable Integer logSpread,
            @DefaultValue("10000") int logQueue,
            @DefaultValue("address") String caller,
            @Nullable Identity identity,
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("64") int ipv6Prefix,
            @Nullable Path pseudonymKeyFile,
            @DefaultValue("50ms") Duration quotaWait,
            @DefaultValue Map<String, Map<String, String>> quota) {

        /** Names the strategies of quotas, and shows no setting of theirs: addresses can hold passwords. */
        @Override
        public String toString() {
            return "Agent[service=" + service + ", quota=" + quota.keySet() + "]";
        }
    }

    /**
     * The servlet filter.
     *
     * @param enabled false: an agent without a filter, for requests that are checked by hand
     * @param urlPatterns what it guards
     * @param order its place among the filters; by default just before Spring Security's (-110), or behind it (-90) when callers are
     *     principals
     * @param routes templates that paths are held against before ids in them are replaced, such as /orders/{order}/lines/{line}
     */
    public record Filter(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("/*") List<String> urlPatterns,
            @Nullable Integer order,
            @DefaultValue List<String> routes) {}

    /**
     * The contents of rejections.
     *
     * @param jitter the most that is added to Retry-After at random, as a share of the wait, 0 to 1
     * @param legacy X-RateLimit-Limit, -Remaining and -Reset too
     */
    public record Signals(
            @DefaultValue("0.25") double jitter,
            @DefaultValue("false") boolean legacy) {}
}
