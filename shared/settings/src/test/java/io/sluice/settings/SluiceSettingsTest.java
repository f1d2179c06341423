package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.contract.event.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of settings as a whole: defaults, precedence, problems, and what is printed. */
class SluiceSettingsTest extends SettingsFixture {
    @Test
    void anEmptyFileGivesTheDefaults() throws Exception {
        SluiceSettings settings = read("");

        assertThat(settings.kafka().embedded()).isTrue();
        assertThat(settings.kafka().client()).containsEntry("bootstrap.servers", "127.0.0.1:9092");
        assertThat(settings.topics()).isEqualTo(new TopicSettings("sluice.", 4, (short) -1, false));
        assertThat(settings.sources()).hasSize(1).first().satisfies(source -> {
            assertThat(source.topic()).isEqualTo("sluice.requests");
            assertThat(source.format()).isEqualTo("json");
            assertThat(source.rejected()).containsExactly(429);
        });
        assertThat(settings.analyzer().tick()).isEqualTo(5);
        assertThat(settings.analyzer().maxLease()).isEqualTo(600_000);
        assertThat(settings.analyzer().rocksdbMemory()).isEqualTo(128L << 20);
        assertThat(settings.agent().gates()).isEqualTo(500_000);
    }

    @Test
    void aFileIsReadWhole() throws Exception {
        SluiceSettings settings = read("""
                kafka: { bootstrap.servers: "broker:9092" }
                topics: { prefix: "team.", partitions: 12, replication: 3, create: true }
                policies: policies.yml
                sources:
                  - topic: nginx
                    format: nginx-json
                    caller: [$http_x_key, $remote_addr]
                    service: value:orders
                    identity: claimed
                    rejected: [429, 503]
                    labels: { plan: http_x_plan }
                    routes: ["/orders/{id}", "/items/{id}"]
                  - { topic: apache, format: combined }
                analyzer: { instance: a-1, guarantee: exactly-once, commit: 1s }
                """);

        assertThat(settings.kafka().embedded()).isFalse();
        assertThat(settings.topics()).isEqualTo(new TopicSettings("team.", 12, (short) 3, true));
        assertThat(settings.policies()).isEqualTo(Path.of("policies.yml"));
        assertThat(settings.sources()).hasSize(2);
        SourceSettings nginx = settings.sources().get(0);
        assertThat(nginx.caller()).containsExactly("$http_x_key", "$remote_addr");
        assertThat(nginx.service()).isEqualTo("value:orders");
        assertThat(nginx.identity()).isEqualTo(Identity.CLAIMED);
        assertThat(nginx.rejected()).containsExactlyInAnyOrder(429, 503);
        assertThat(nginx.labels()).containsExactly(Map.entry("plan", "http_x_plan"));
        assertThat(nginx.routes()).containsExactly("/orders/{id}", "/items/{id}");
        assertThat(settings.analyzer().instance()).isEqualTo("a-1");
        assertThat(settings.analyzer().exactlyOnce()).isTrue();
        assertThat(settings.analyzer().commit()).isEqualTo(1000);
    }

    @Test
    void quotas_ofFileAndEnvironment_areReadByStrategy() throws Exception {
        SluiceSettings settings = SluiceSettings.read(
                write(
                        "agent: { quota: { wait: 20ms, redis-chunks: { uri: \"redis://secret@a\" }, sql: { table: t } } }"),
                Map.of("SLUICE_AGENT_QUOTA_SQL_JDBC_URL", "jdbc:b"));

        assertThat(settings.agent().quotaWait()).isEqualTo(20);
        assertThat(settings.agent().quotas())
                .containsOnly(
                        Map.entry("redis-chunks", Map.of("uri", "redis://secret@a")),
                        Map.entry("sql", Map.of("table", "t", "jdbc-url", "jdbc:b")));
        assertThat(settings.printed())
                .contains("agent.quota.redis-chunks.uri: ")
                .doesNotContain("secret@a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka",
                "kafka:99999",
                "kafka:0",
                "kafka:",
                "kafka:9092,other",
                "http://kafka:9092/x",
                "a:1,",
                ",a:1",
                "a:1,,b:2"
            })
    void bootstrapServers_thatAreNoAddresses_areRefusedWithTheFormat(String servers) {
        assertThatThrownBy(() -> SluiceSettings.read(null, servers, Map.of()))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("--bootstrap: kafka.bootstrap.servers: found ")
                .hasMessageContaining("HOST:PORT, with a port of 1 to 65535");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka:9092", "a:1, b:65535", "[::1]:9092", "SASL_SSL://kafka:9093", ":9092"})
    void bootstrapServers_thatKafkaReads_areKept(String servers) throws Exception {
        assertThat(SluiceSettings.read(null, servers, Map.of()).kafka().client())
                .containsEntry("bootstrap.servers", servers);
    }

    @Test
    void bootstrapServersOfTheKafkaProperties_thatAreNoAddresses_areRefused() throws Exception {
        Path client = Files.writeString(file.resolveSibling("client.properties"), "bootstrap.servers =");
        String kafka = "properties-file: " + client;

        assertThat(problems("kafka: { " + kafka + " }"))
                .containsExactly(
                        client + ": bootstrap.servers: found nothing, allowed is HOST:PORT, with a port of 1 to"
                                + " 65535, or several with commas");
        assertThat(read("kafka: { " + kafka + ", bootstrap.servers: \"a:1\" }")
                        .kafka()
                        .client())
                .containsEntry("bootstrap.servers", "a:1");
    }

    /** Kafka replaces it by what its {@code config.providers} name. */
    @Test
    void kafkaProperties_ofConfigProviders_areKept() throws Exception {
        Path client = Files.writeString(
                file.resolveSibling("client.properties"),
                "bootstrap.servers=${env:KAFKA}\ntransaction.timeout.ms=${env:MILLIS}\n");

        assertThat(read("kafka: { properties-file: " + client + " }\nanalyzer: { guarantee: exactly-once }")
                        .kafka()
                        .client())
                .containsEntry("bootstrap.servers", "${env:KAFKA}");
    }

    /** Windows' editors write one. */
    @Test
    void kafkaProperties_withAByteOrderMark_keepTheirFirstSetting() throws Exception {
        Path client = Files.writeString(
                file.resolveSibling("client.properties"), "\uFEFFsecurity.protocol=SSL\r\nclient.id=x\r\n");

        assertThat(read("kafka: { properties-file: " + client + " }").kafka().client())
                .containsEntry("security.protocol", "SSL")
                .containsEntry("client.id", "x");
    }

    /** Brokers refuse it without its name. */
    @ParameterizedTest
    @ValueSource(strings = {"a b", "ü", ".", "..", "a/b"})
    void topicThatNoBrokerTakes_isRefused(String topic) throws Exception {
        assertThat(problems("sources: [{ topic: \"" + topic + "\" }, { topic: a..b }]"))
                .containsExactly(
                        file + ":1: sources.0.topic: found " + topic + ", allowed is 1 to 249 of a-z A-Z 0-9 . _ -");
    }

    @Test
    void listThatIsNone_isNamedAsSuch() throws Exception {
        assertThat(problems("sources: x\nwebhooks: 5"))
                .containsExactly(
                        file + ":1: sources: found a value, a list is needed",
                        file + ":2: webhooks: found a value, a list is needed");
    }

    @Test
    void theEnvironmentWinsOverTheFile() throws Exception {
        SluiceSettings settings = SluiceSettings.read(
                write("analyzer: { state-dir: here, threads: 2 }"),
                Map.of(
                        "SLUICE_ANALYZER_STATE_DIR", "/data/state",
                        "SLUICE_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092",
                        "SLUICE_SOURCES_0_FORMAT", "combined",
                        "SLUICE_SOURCES_0_LABELS_plan", "x_plan",
                        "SLUICE_AGENT_TRUSTED_PROXIES", "10.0.0.0/8, 192.168.0.0/16"));

        assertThat(settings.analyzer().stateDir()).isEqualTo(Path.of("/data/state"));
        assertThat(settings.analyzer().threads()).isEqualTo(2);
        assertThat(settings.kafka().client()).containsEntry("bootstrap.servers", "kafka:9092");
        assertThat(settings.sources().get(0).format()).isEqualTo("combined");
        assertThat(settings.sources().get(0).labels()).containsEntry("plan", "x_plan");
        assertThat(settings.agent().trustedProxies()).containsExactly("10.0.0.0/8", "192.168.0.0/16");
    }

    @Test
    void trustedProxies_eachWrongEntryIsAProblem() {
        assertThat(problems("agent: { trusted-proxies: [10.0.0.0/8, 10.0.0.5/8, proxy.internal], caller: nobody }"))
                .satisfiesExactlyInAnyOrder(
                        problem -> assertThat(problem).contains("agent.caller: found nobody"),
                        problem -> assertThat(problem)
                                .contains("sluice.yml:1: agent.trusted-proxies: found 10.0.0.5/8, allowed is an address"
                                        + " or network such as 10.0.0.0/8; bits are set behind the first 8"),
                        problem -> assertThat(problem)
                                .contains(
                                        "agent.trusted-proxies: found proxy.internal, allowed is an address or network"
                                                + " such as 10.0.0.0/8; not an address or network"));
    }

    @Test
    void agentNames_longerThanTheFleetAccepts_areProblems() {
        String tooLong = "x".repeat(257);

        assertThat(problems("agent: { id: " + tooLong + ", service: " + tooLong + " }"))
                .satisfiesExactlyInAnyOrder(
                        problem -> assertThat(problem)
                                .contains("agent.id: found 257 characters, allowed is up to 256 characters"),
                        problem -> assertThat(problem)
                                .contains("agent.service: found 257 characters, allowed is up to 256 characters"));
    }

    @Test
    void allProblemsAreToldAtOnceWithPlaceAndTheNearestKey() {
        List<String> problems = problems("""
                analyser: { threads: 1 }
                analyzer:
                  treads: 2
                  commit: soon
                  threads: 0
                topics: { partitions: many }
                sources:
                  - { fromat: json }
                """);

        assertThat(problems)
                .containsExactlyInAnyOrder(
                        file
                                + ":1: unknown key analyser (did you mean analyzer?); allowed: agent, analyzer, http, kafka, policies,"
                                + " sidecar, sources, topics, webhooks",
                        file
                                + ":3: unknown key analyzer.treads (did you mean analyzer.threads?); allowed: backlog, commit, guarantee,"
                                + " instance, lateness, max-lease, rocksdb-memory, skew, standbys, state-dir, threads, tick",
                        file
                                + ":4: analyzer.commit: found soon, allowed is a duration such as 200ms, 10s or 5m, from 20 ms to 60000 ms",
                        file + ":5: analyzer.threads: found 0, allowed is a whole number from 1 to 64",
                        file + ":6: topics.partitions: found many, allowed is a whole number from 1 to 1024",
                        file
                                + ":8: unknown key sources.0.fromat (did you mean sources.0.format?); allowed: caller, fields, format,"
                                + " identity, ipv6-prefix, labels, most-per-second, rejected, routes, service, spread, topic");
    }

    @Test
    void commit_longerThanATransactionOfExactlyOnceAllows_isRefused() throws Exception {
        assertThat(problems("analyzer: { guarantee: exactly-once, commit: 6s }"))
                .containsExactly(file + ":1: analyzer.commit: found 6s, allowed is 20 ms to 5000 ms with"
                        + " analyzer.guarantee: exactly-once, where a transaction lasts from one commit to the next"
                        + " and Kafka aborts it after 10000 ms (producer.transaction.timeout.ms)");
        assertThat(read("analyzer: { guarantee: exactly-once, commit: 5s }")
                        .analyzer()
                        .commit())
                .isEqualTo(5_000);
        assertThat(read("analyzer: { commit: 60s }").analyzer().commit()).isEqualTo(60_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"15MB", "1025GB", "17179869185GB", "lots"})
    void sizes_outsideTheRange_areRefused(String size) throws Exception {
        assertThat(problems("analyzer: { rocksdb-memory: " + size + " }"))
                .containsExactly(file + ":1: analyzer.rocksdb-memory: found " + size
                        + ", allowed is a size such as 128MB, from 16MB to 1048576MB");
        assertThat(read("analyzer: { rocksdb-memory: 1024GB }").analyzer().rocksdbMemory())
                .isEqualTo(1L << 40);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transaction.timeout.ms = 40000 ",
                "producer.transaction.timeout.ms=40000\ntransaction.timeout.ms=1"
            })
    void commit_isBoundedByTheTransactionsOfTheKafkaProperties(String properties) throws Exception {
        Path client = Files.writeString(file.resolveSibling("client.properties"), properties);
        String kafka = "kafka: { properties-file: " + client + " }\n";

        assertThat(read(kafka + "analyzer: { guarantee: exactly-once, commit: 20s }")
                        .analyzer()
                        .commit())
                .isEqualTo(20_000);
        assertThat(problems(kafka + "analyzer: { guarantee: exactly-once, commit: 21s }"))
                .containsExactly(file + ":2: analyzer.commit: found 21s, allowed is 20 ms to 20000 ms with"
                        + " analyzer.guarantee: exactly-once, where a transaction lasts from one commit to the next"
                        + " and Kafka aborts it after 40000 ms (producer.transaction.timeout.ms)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3999", "10s", "-1", "99999999999"})
    void transactionsThatAreTooShortOrNoTime_areRefusedWithExactlyOnce(String found) throws Exception {
        Path client =
                Files.writeString(file.resolveSibling("client.properties"), "producer.transaction.timeout.ms=" + found);
        String kafka = "kafka: { properties-file: " + client + " }\n";

        assertThat(problems(kafka + "analyzer: { guarantee: exactly-once }"))
                .containsExactly(
                        client + ": producer.transaction.timeout.ms: found " + found
                                + ", allowed is a whole number of milliseconds from 4000 with analyzer.guarantee: exactly-once");
        assertThat(read(kafka + "analyzer: { commit: 60s }").analyzer().commit())
                .isEqualTo(60_000);
    }

    @Test
    void analyzersLeaseBeyondTheAgents_isWarnedOf() throws Exception {
        String longer = "1h";
        SluiceSettings alone = SluiceSettings.read(file, Map.of("SLUICE_ANALYZER_MAX_LEASE", longer));
        SluiceSettings both = SluiceSettings.read(
                file, Map.of("SLUICE_ANALYZER_MAX_LEASE", longer, "SLUICE_AGENT_MAX_LEASE", longer));

        assertThat(alone.warnings())
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("analyzer.max-lease: 1h is longer than agent.max-lease, 10m:");
        assertThat(both.warnings()).isEmpty();
    }

    @Test
    void pseudonymKeys_missingFile_isNamed() {
        assertThat(problems("agent: { pseudonym-key-file: no/such.keys }"))
                .singleElement()
                .asString()
                .endsWith(
                        "agent.pseudonym-key-file: found no/such.keys, allowed is a file of keys; no/such.keys: no such file");
    }

    @Test
    void aClientsSecretsAreMaskedInPrint() throws Exception {
        Path client = Files.writeString(
                folder.resolve("client.properties"),
                "security.protocol=SASL_SSL\nssl.keystore.password=hunter2\nsasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required password=\"hunter2\";\n");

        SluiceSettings settings = read("kafka: { properties-file: " + client + " }");

        assertThat(settings.kafka().client()).containsEntry("ssl.keystore.password", "hunter2");
        assertThat(settings.printed())
                .contains("kafka client security.protocol: SASL_SSL")
                .contains("kafka client ssl.keystore.password: ********")
                .contains("analyzer.threads: 1    # default")
                .doesNotContain("hunter2");
    }

    @Test
    void aMissingFileIsNamed() {
        InvalidSettings refused = catchThrowableOfType(
                InvalidSettings.class, () -> SluiceSettings.read(folder.resolve("nowhere.yml"), Map.of()));

        assertThat(refused).hasMessageContaining("nowhere.yml: no such file");
    }
}
