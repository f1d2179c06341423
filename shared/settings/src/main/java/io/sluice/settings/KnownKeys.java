package io.sluice.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every key that {@code sluice.yml} and the environment may hold, with its default; nothing else is accepted. */
final class KnownKeys {

    /** Key to default, in the order in which they are printed; an empty default means: not set. */
    static final Map<String, String> DEFAULTS = defaults();

    /** Keys of one entry of {@code sources}. */
    static final Map<String, String> SOURCE = source();

    /** Keys of one entry of {@code webhooks}. */
    static final Map<String, String> WEBHOOK = Map.of("url", "", "secret-file", "", "events", "");

    static final Pattern WEBHOOK_KEY = Pattern.compile("webhooks\\.(\\d{1,3})\\.([a-z-]+)");

    static final Pattern SOURCE_KEY = Pattern.compile("sources\\.(\\d{1,3})\\.([a-z0-9-]+)(\\.(.+))?");

    /** {@code agent.quota.NAME.KEY}: what a key means, its strategy decides. */
    static final Pattern QUOTA_KEY = Pattern.compile("agent\\.quota\\.([a-z0-9-]{1,64})\\.([a-z0-9-]{1,64})");

    /** Keys whose values are lists, written as a list in the file and with commas in the environment. */
    static final Set<String> LISTS = Set.of(
            "caller",
            "rejected",
            "routes",
            "agent.trusted-proxies",
            "http.allowed-hosts",
            "http.proxy.trusted",
            "events");

    private KnownKeys() {}

    private static Map<String, String> defaults() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("kafka.bootstrap.servers", "");
        keys.put("kafka.properties-file", "");
        keys.put("kafka.allow-unsafe-clients", "false");
        keys.put("topics.prefix", "sluice.");
        keys.put("topics.partitions", "4");
        keys.put("topics.replication", "-1");
        keys.put("topics.create", "false");
        keys.put("topics.signing-key-file", "");
        keys.put("topics.unsigned", "refuse");
        keys.put("topics.requests-retention", "12h");
        keys.put("topics.dead-letters-retention", "7d");
        keys.put("topics.history", "7d");
        keys.put("policies", "");
        keys.put("analyzer.instance", "");
        keys.put("analyzer.state-dir", "./data/state");
        keys.put("analyzer.threads", "1");
        keys.put("analyzer.standbys", "0");
        keys.put("analyzer.guarantee", "at-least-once");
        keys.put("analyzer.tick", "5ms");
        keys.put("analyzer.commit", "200ms");
        keys.put("analyzer.lateness", "60s");
        keys.put("analyzer.skew", "5s");
        keys.put("analyzer.backlog", "30s");
        keys.put("analyzer.max-lease", "10m");
        keys.put("analyzer.rocksdb-memory", "128MB");
        keys.put("http.bind", "127.0.0.1");
        keys.put("http.port", "8480");
        keys.put("http.token-file", "");
        keys.put("http.users-file", "");
        keys.put("http.writes", "false");
        keys.put("http.allowed-hosts", "");
        keys.put("http.proxy.trusted", "");
        keys.put("http.proxy.secret-file", "");
        keys.put("http.proxy.user-header", "X-Forwarded-User");
        keys.put("http.proxy.groups-header", "X-Forwarded-Groups");
        keys.put("http.tls.certificate", "");
        keys.put("http.tls.key", "");
        keys.put("http.tls.client-ca", "");
        keys.put("http.tls.ca", "");
        keys.put("agent.id", "");
        keys.put("agent.service", "");
        keys.put("agent.policies", "");
        keys.put("agent.enforce", "true");
        keys.put("agent.max-lease", "10m");
        keys.put("agent.stale-after", "5s");
        keys.put("agent.gates", "500000");
        keys.put("agent.log-topic", "");
        keys.put("agent.log-spread", "");
        keys.put("agent.log-queue", "10000");
        keys.put("agent.heartbeat", "5s");
        keys.put("agent.quota.wait", "50ms");
        keys.put("agent.caller", "address");
        keys.put("agent.identity", "");
        keys.put("agent.trusted-proxies", "");
        keys.put("agent.ipv6-prefix", "64");
        keys.put("agent.pseudonym-key-file", "");
        keys.put("sidecar.http", "127.0.0.1:8481");
        keys.put("sidecar.grpc", "127.0.0.1:8482");
        keys.put("sidecar.connections", "1024");
        keys.put("sidecar.reject-status", "429");
        keys.put("sidecar.drain", "5s");
        keys.put("sidecar.token-server", "false");
        keys.put("sidecar.token-server-buckets", "1000000");
        keys.put("sidecar.token-server-start", "chunk");
        keys.put("sidecar.tls.certificate", "");
        keys.put("sidecar.tls.key", "");
        keys.put("sidecar.tls.client-ca", "");
        return keys;
    }

    private static Map<String, String> source() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("topic", "");
        keys.put("format", "json");
        keys.put("caller", "");
        keys.put("service", "");
        keys.put("identity", "");
        keys.put("rejected", "429");
        keys.put("routes", "");
        keys.put("fields", "");
        keys.put("labels", "");
        keys.put("spread", "");
        keys.put("most-per-second", "");
        keys.put("ipv6-prefix", "");
        return keys;
    }

    /** Returns whether a key, its list position included, is one of ours. */
    static boolean knows(String key) {
        var source = SOURCE_KEY.matcher(key);
        if (source.matches()) {
            boolean map = source.group(2).equals("fields") || source.group(2).equals("labels");
            return SOURCE.containsKey(source.group(2)) && map == (source.group(4) != null);
        }
        var webhook = WEBHOOK_KEY.matcher(key);
        return webhook.matches()
                ? WEBHOOK.containsKey(webhook.group(2))
                : DEFAULTS.containsKey(key) || QUOTA_KEY.matcher(key).matches();
    }

    static boolean list(String key) {
        var source = SOURCE_KEY.matcher(key);
        var webhook = WEBHOOK_KEY.matcher(key);
        return LISTS.contains(source.matches() ? source.group(2) : webhook.matches() ? webhook.group(2) : key);
    }

    /** What a misspelled key may have meant: every key, and every section that keys stand in. */
    static List<String> allNames() {
        return Stream.of(
                        DEFAULTS.keySet().stream(),
                        SOURCE.keySet().stream().map(key -> "sources.0." + key),
                        WEBHOOK.keySet().stream().sorted().map(key -> "webhooks.0." + key))
                .flatMap(keys -> keys)
                .flatMap(key -> Stream.of(key, key.replaceFirst("\\..*", "")))
                .distinct()
                .toList();
    }
}
