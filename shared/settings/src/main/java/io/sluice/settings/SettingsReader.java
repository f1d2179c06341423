package io.sluice.settings;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.Identity;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.contract.topic.Retention;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Makes typed settings of what was found, gathering every problem. */
final class SettingsReader {
    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600_000;
    /** With the greatest skew, windows of a day with four panes need all that is kept. */
    private static final long MOST_LATENESS = 59 * 60_000;

    /** The client's settings of how long a transaction may last; the first one wins. */
    private static final List<String> TRANSACTION_TIMEOUT =
            List.of("producer.transaction.timeout.ms", "transaction.timeout.ms");

    /** That of Kafka Streams. */
    private static final long DEFAULT_TRANSACTION = 10 * SECOND;

    /** Twice the longest time from one commit to the next of an analyzer that reads a backlog. */
    private static final long LEAST_TRANSACTION = 4 * SECOND;

    private static final long MOST_COMMIT = 60 * SECOND;

    private static final long YEARS = 3_660 * 24 * HOUR;

    private final Map<String, Found> found;
    private final List<String> warnings;
    private final Values values;
    private final List<String> problems;

    SettingsReader(Map<String, Found> found, List<String> problems, List<String> warnings) {
        this.found = found;
        this.problems = problems;
        this.warnings = warnings;
        this.values = new Values(found, problems);
    }

    SluiceSettings read() {
        KafkaSettings kafka = new KafkaReader(values, problems, warnings).read();
        List<WebhookSettings> webhooks = new WebhookReader(found, values).read();
        for (WebhookSettings webhook : webhooks) {
            if (webhook.secretFile() != null) {
                SecretFiles.warning("webhooks.N.secret-file", webhook.secretFile())
                        .ifPresent(warnings::add);
            }
        }
        TopicSettings topics = topics();
        AgentSettings agent = agent();
        AnalyzerSettings analyzer = analyzer(kafka);
        if (analyzer.maxLease() > agent.maxLease()) {
            warnings.add(
                    "analyzer.max-lease: " + values.text("analyzer.max-lease") + " is longer than agent.max-lease, "
                            + values.text("agent.max-lease")
                            + ": agents enforce a record no longer than their own, and gates open"
                            + " before it is written again; raise agent.max-lease in all services, and here");
        }
        return new SluiceSettings(
                kafka,
                topics,
                values.path("policies"),
                new SourceReader(found, values, topics.prefix() + "requests", agent.ipv6Prefix()).read(),
                analyzer,
                http(),
                agent,
                new SidecarSettings(
                        values.listen("sidecar.http"),
                        values.listen("sidecar.grpc"),
                        values.number("sidecar.connections", 1, 1_000_000),
                        values.number("sidecar.reject-status", 401, 499),
                        values.millis("sidecar.drain", 100, 10 * 60 * SECOND),
                        new SidecarSettings.TokenStore(
                                values.truth("sidecar.token-server"),
                                values.number("sidecar.token-server-buckets", 1, 100_000_000),
                                values.choice("sidecar.token-server-start", List.of("chunk", "full"))
                                        .equals("full")),
                        tls("sidecar.tls.")),
                webhooks,
                PrintedSettings.of(values, found, kafka),
                List.copyOf(warnings));
    }

    private TopicSettings topics() {
        String prefix = values.text("topics.prefix");
        if (!prefix.matches("[a-zA-Z0-9._-]{0,100}")) {
            values.problem("topics.prefix", prefix, "up to 100 of a-z A-Z 0-9 . _ -");
        }
        return new TopicSettings(
                prefix,
                values.number("topics.partitions", 1, 1024),
                (short) values.number("topics.replication", -1, 15),
                values.truth("topics.create"),
                new Retention(
                        values.millis("topics.requests-retention", HOUR, YEARS),
                        values.millis("topics.dead-letters-retention", HOUR, YEARS),
                        values.millis("topics.history", HOUR, YEARS)));
    }

    private AnalyzerSettings analyzer(KafkaSettings kafka) {
        String instance = values.optional("analyzer.instance");
        Path stateDir = values.path("analyzer.state-dir");
        boolean exactlyOnce = values.choice("analyzer.guarantee", List.of("at-least-once", "exactly-once"))
                .equals("exactly-once");
        return new AnalyzerSettings(
                instance != null ? instance : hostname(),
                stateDir != null ? stateDir : Path.of("data", "state"),
                values.number("analyzer.threads", 1, 64),
                values.number("analyzer.standbys", 0, 8),
                exactlyOnce,
                values.millis("analyzer.tick", 1, SECOND),
                exactlyOnce
                        ? commitOfTransactions(transaction(kafka.properties()))
                        : values.millis("analyzer.commit", 20, MOST_COMMIT),
                values.millis("analyzer.lateness", 0, MOST_LATENESS),
                values.millis("analyzer.skew", 0, 60 * SECOND),
                values.millis("analyzer.backlog", SECOND, HOUR),
                values.millis("analyzer.max-lease", 10 * SECOND, 24 * HOUR),
                values.bytes("analyzer.rocksdb-memory", 16L << 20, 1L << 40));
    }

    /**
     * Reads how often transactions are committed, at most each half of the time that one may last: a commit can come late, and the broker aborts a
     * transaction that is too old.
     *
     * @param transaction how long one may last, in milliseconds
     */
    private long commitOfTransactions(long transaction) {
        long commit = values.millis("analyzer.commit", 20, MOST_COMMIT);
        if (commit > transaction / 2) {
            values.problem(
                    "analyzer.commit",
                    values.text("analyzer.commit"),
                    "20 ms to " + transaction / 2
                            + " ms with analyzer.guarantee: exactly-once, where a transaction lasts"
                            + " from one commit to the next and Kafka aborts it after " + transaction
                            + " ms (producer.transaction.timeout.ms)");
        }
        return commit;
    }

    private long transaction(Map<String, String> client) {
        for (String name : TRANSACTION_TIMEOUT) {
            String set = client.get(name);
            // Kafka replaces ${…} by what its config.providers name
            if (set != null && !set.contains("${")) {
                long millis = set.strip().matches("\\d{1,9}") ? Long.parseLong(set.strip()) : 0;
                if (millis >= LEAST_TRANSACTION) {
                    return millis;
                }
                problems.add(values.text("kafka.properties-file") + ": " + name + ": found "
                        + (set.isBlank() ? "nothing" : set.strip())
                        + ", allowed is a whole number of milliseconds from "
                        + LEAST_TRANSACTION + " with analyzer.guarantee: exactly-once");
                return DEFAULT_TRANSACTION;
            }
        }
        return DEFAULT_TRANSACTION;
    }

    private HttpSettings http() {
        Path token = values.path("http.token-file");
        boolean writes = values.truth("http.writes");
        if (token != null) {
            SecretFiles.warning("http.token-file", token).ifPresent(warnings::add);
        }
        if (writes && token == null) {
            values.problem("http.writes", "true", "false without http.token-file: nothing is changed without a token");
        }
        Path users = values.path("http.users-file");
        if (users != null) {
            SecretFiles.warning("http.users-file", users).ifPresent(warnings::add);
            if (token == null) {
                values.problem(
                        "http.users-file", users.toString(), "no file without http.token-file, which signs cookies");
            }
        }
        return new HttpSettings(
                values.text("http.bind"),
                values.number("http.port", 0, 65_535),
                token,
                writes,
                values.list("http.allowed-hosts").stream()
                        .filter(host -> !host.isEmpty())
                        .toList(),
                tls("http.tls."),
                values.path("http.tls.ca"),
                users,
                new ProxyReader(values, warnings).read(token != null));
    }

    private TlsSettings tls(String at) {
        TlsSettings tls = new TlsSettings(
                values.path(at + "certificate"), values.path(at + "key"), values.path(at + "client-ca"));
        if (tls.certificate() != null && tls.key() == null) {
            values.problem(at + "key", "", "the file with the key of " + at + "certificate");
        }
        if (tls.certificate() == null && (tls.key() != null || tls.clientCa() != null)) {
            values.problem(at + "certificate", "", "the file with the certificate and its chain");
        }
        if (tls.key() != null) {
            SecretFiles.warning(at + "key", tls.key()).ifPresent(warnings::add);
        }
        return tls;
    }

    private AgentSettings agent() {
        String id = values.optional("agent.id");
        String caller = values.text("agent.caller");
        if (!caller.matches("address|principal|header:[A-Za-z0-9-]{1,64}")) {
            values.problem("agent.caller", caller, "address, principal or header:NAME");
        }
        checkName("agent.id", id);
        checkName("agent.service", values.text("agent.service"));
        return new AgentSettings(
                id != null ? id : ofHost(random()),
                values.text("agent.service"),
                values.path("agent.policies"),
                values.truth("agent.enforce"),
                values.millis("agent.max-lease", SECOND, 24 * HOUR),
                values.millis("agent.stale-after", SECOND, HOUR),
                values.number("agent.gates", 100, 100_000_000),
                values.optional("agent.log-topic"),
                values.optional("agent.log-spread") == null ? null : values.number("agent.log-spread", 1, 16),
                values.number("agent.log-queue", 1, 10_000_000),
                values.millis("agent.heartbeat", 100, 5_000),
                caller,
                identity("agent.identity"),
                values.networks("agent.trusted-proxies").stream()
                        .map(Cidr::toString)
                        .toList(),
                values.number("agent.ipv6-prefix", 1, 128),
                pseudonyms("agent.pseudonym-key-file"),
                values.millis("agent.quota.wait", 1, 10 * SECOND),
                quotas());
    }

    /** The fleet ignores agents with longer names. */
    private void checkName(String key, @Nullable String name) {
        if (name != null && name.length() > AgentHeartbeat.LONGEST_NAME) {
            values.problem(key, name.length() + " characters", "up to " + AgentHeartbeat.LONGEST_NAME + " characters");
        }
    }

    private Map<String, Map<String, String>> quotas() {
        Map<String, Map<String, String>> quotas = new TreeMap<>();
        for (String key : found.keySet()) {
            Matcher quota = KnownKeys.QUOTA_KEY.matcher(key);
            if (quota.matches()) {
                quotas.computeIfAbsent(quota.group(1), name -> new TreeMap<>()).put(quota.group(2), values.text(key));
            }
        }
        return quotas;
    }

    private Pseudonyms pseudonyms(String key) {
        Path file = values.path(key);
        if (file == null) {
            return Pseudonyms.NONE;
        }
        SecretFiles.warning(key, file).ifPresent(warnings::add);
        try {
            return Pseudonyms.read(file);
        } catch (IOException e) {
            values.problem(key, file.toString(), "a file of keys; " + FileErrors.message(file, e));
            return Pseudonyms.NONE;
        }
    }

    private @Nullable Identity identity(String key) {
        return SourceReader.identity(values, key);
    }

    private static String hostname() {
        String fromEnvironment = System.getenv("HOSTNAME");
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return fromEnvironment;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String ofHost(String random) {
        String host = hostname();
        int most = AgentHeartbeat.LONGEST_NAME - 1 - random.length();
        return host.substring(0, Math.min(most, host.length())) + "-" + random;
    }

    private static String random() {
        byte[] bytes = new byte[3];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
