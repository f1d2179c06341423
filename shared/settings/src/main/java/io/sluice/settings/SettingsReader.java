package io.sluice.settings;

import io.sluice.contract.topic.Retention;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Makes typed settings of what was found, gathering every problem. */
final class SettingsReader {
    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600_000;
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
        AgentSettings agent = new AgentReader(found, values, warnings).read();
        AnalyzerSettings analyzer = new AnalyzerReader(values, kafka, problems).read();
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
                values.hosts("http.allowed-hosts"),
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
}
