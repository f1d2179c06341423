package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.Identity;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SluiceSettingsTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void anEmptyFile() throws IOException {
        file = Files.writeString(folder.resolve("sluice.yml"), "");
    }

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

    static Stream<String> keysOfASource() {
        return KnownKeys.SOURCE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("keysOfASource")
    void eachKeyOfASource_isKnown_inTheFileAndAsAVariable(String key) {
        boolean named = List.of("fields", "labels").contains(key);
        String whole = "sources.0." + key + (named ? ".x" : "");
        String variable = RawSettings.variable("sources.0." + key) + (named ? "_x" : "");
        List<String> problems = new ArrayList<>();

        assertThat(KnownKeys.knows(whole)).isTrue();
        assertThat(RawSettings.of(
                        new Node.Mapping(new Place("none", 0), List.of()),
                        Map.of(variable, "1"),
                        problems,
                        new ArrayList<>()))
                .containsKey(whole);
        assertThat(problems).isEmpty();
    }

    @Test
    void mostPerSecond_isReadFromTheFileAndTheEnvironment() throws Exception {
        assertThat(read("sources: [ { topic: a, most-per-second: 5000 } ]")
                        .sources()
                        .get(0)
                        .mostPerSecond())
                .isEqualTo(5_000);
        assertThat(SluiceSettings.read(
                                write("sources: [ { topic: a } ]"), Map.of("SLUICE_SOURCES_0_MOST_PER_SECOND", "7"))
                        .sources()
                        .get(0)
                        .mostPerSecond())
                .isEqualTo(7);
        assertThat(problems("sources: [ { topic: a, most-per-second: 0 } ]"))
                .containsExactly(file
                        + ":1: sources.0.most-per-second: found 0, allowed is a whole number from 1 to 1000000000");
    }

    @Test
    void ipv6Prefix_ofASource_isThatOfTheAgentUnlessItHasItsOwn() throws Exception {
        assertThat(read("sources: [ { topic: a } ]").sources().get(0).ipv6Prefix())
                .isEqualTo(64);
        assertThat(read("agent: { ipv6-prefix: 56 }").sources().get(0).ipv6Prefix())
                .isEqualTo(56);
        assertThat(read("agent: { ipv6-prefix: 56 }\nsources: [ { topic: a, ipv6-prefix: 48 } ]")
                        .sources()
                        .get(0)
                        .ipv6Prefix())
                .isEqualTo(48);
        assertThat(problems("sources: [ { topic: a, ipv6-prefix: 0 } ]"))
                .containsExactly(file + ":1: sources.0.ipv6-prefix: found 0, allowed is a whole number from 1 to 128");
    }

    @Test
    void spread_isAllPartitionsByDefaultAndAtMostThoseOfTheTopic() throws Exception {
        assertThat(read("sources: [ { topic: a } ]").sources().get(0).spreadOver(8))
                .isEqualTo(8);
        assertThat(read("sources: [ { topic: a, spread: 2 } ]").sources().get(0).spreadOver(8))
                .isEqualTo(2);
        assertThat(read("sources: [ { topic: a, spread: 9 } ]").sources().get(0).spreadOver(8))
                .isEqualTo(8);
        assertThat(problems("sources: [ { topic: a, spread: 0 } ]"))
                .containsExactly(file + ":1: sources.0.spread: found 0, allowed is a whole number from 1 to 100000");
    }

    @Test
    void aSidecarListensOnLoopbackUnlessToldOtherwise() throws Exception {
        assertThat(read("").sidecar())
                .isEqualTo(new SidecarSettings(listen("127.0.0.1", 8481), listen("127.0.0.1", 8482), 1024, 429));
        assertThat(read("sidecar: { http: \"[::1]:0\", grpc: gate:65535, connections: 7, reject-status: 403 }")
                        .sidecar())
                .isEqualTo(new SidecarSettings(listen("::1", 0), listen("gate", 65_535), 7, 403));
        assertThat(read("sidecar: { drain: 30s }").sidecar().drainMillis()).isEqualTo(30_000);
        assertThat(problems("sidecar: { drain: 11m }"))
                .containsExactly(
                        file
                                + ":1: sidecar.drain: found 11m, allowed is a duration such as 200ms, 10s or 5m, from 100 ms to 600000 ms");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"8481", "\":8481\"", "\"gate:\"", "gate:65536", "\"::1:8481\"", "\"[::1]\"", "http://gate:8481"})
    void whereASidecarListensIsHostAndPort(String wrong) {
        assertThat(problems("sidecar: { http: " + wrong + " }"))
                .singleElement()
                .asString()
                .contains("sidecar.http: found ", "allowed is HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 500, 503})
    void aSidecarRejectsWithAStatusThatSaysSo(int wrong) {
        assertThat(problems("sidecar: { reject-status: " + wrong + " }"))
                .singleElement()
                .asString()
                .contains("allowed is a whole number from 401 to 499");
    }

    private static SidecarSettings.Listen listen(String host, int port) {
        return new SidecarSettings.Listen(host, port);
    }

    @Test
    void aMisspelledVariableIsRefused() {
        InvalidSettings refused = catchThrowableOfType(
                InvalidSettings.class, () -> SluiceSettings.read(file, Map.of("SLUICE_ANALYZER_TREADS", "2")));

        assertThat(refused.problems())
                .containsExactly("unknown variable SLUICE_ANALYZER_TREADS (did you mean SLUICE_ANALYZER_THREADS?)");
    }

    @Test
    void variableOfAMisspelledSection_isIgnoredWithAWarningThatNamesTheNearest() throws Exception {
        SluiceSettings settings = SluiceSettings.read(
                file,
                Map.of(
                        "SLUICE_ANALYSER_COMMIT", "1s",
                        "SLUICE_BOOTSTRAP_SERVERS", "kafka:9092",
                        "SLUICE_POLICES", "policies.yml",
                        "SLUICE_SOURCE_3_FORMAT", "combined"));

        assertThat(settings.analyzer().commit()).isEqualTo(200);
        assertThat(settings.warnings())
                .containsExactly(
                        "SLUICE_ANALYSER_COMMIT is ignored: it is no setting; did you mean SLUICE_ANALYZER_COMMIT?",
                        "SLUICE_BOOTSTRAP_SERVERS is ignored: it is no setting; did you mean"
                                + " SLUICE_KAFKA_BOOTSTRAP_SERVERS?",
                        "SLUICE_POLICES is ignored: it is no setting; did you mean SLUICE_POLICIES?",
                        "SLUICE_SOURCE_3_FORMAT is ignored: it is no setting; did you mean SLUICE_SOURCES_3_FORMAT?");
    }

    /** What Kubernetes sets for a Service {@code sluice-htpp} is an address. */
    @Test
    void variableOfAPort_isWarnedOf_unlessItIsTheAddressOfAService() throws Exception {
        String name = "SLUICE_HTPP_PORT";

        assertThat(SluiceSettings.read(file, Map.of(name, "8480")).warnings())
                .containsExactly(name + " is ignored: it is no setting; did you mean SLUICE_HTTP_PORT?");
        assertThat(SluiceSettings.read(file, Map.of(name, "tcp://10.0.0.1:80")).warnings())
                .isEmpty();
        assertThat(catchThrowableOfType(
                                InvalidSettings.class,
                                () -> SluiceSettings.read(file, Map.of("SLUICE_SIDECAR_PORT", "8481")))
                        .problems())
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("unknown variable SLUICE_SIDECAR_PORT");
    }

    /** Those of the launcher and of tests, and what others may set. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SLUICE_EXT",
                "SLUICE_JAVA_OPTS",
                "SLUICE_DATASETS",
                "SLUICE_HOME",
                "SLUICE_VERSION",
                "SLUICE_IMAGE",
                "SLUICE_TOKEN",
                "SLUICE_LOG_LEVEL",
                "SLUICE_",
                "SLUICE_AGENTS_SERVICE_HOST"
            })
    void variableThatResemblesNoSetting_isIgnored(String name) throws Exception {
        assertThat(SluiceSettings.read(file, Map.of(name, "x")).warnings()).isEmpty();
    }

    @Test
    void variablesThatKubernetesSetsForServicesAreLeftAlone() throws Exception {
        assertThat(SluiceSettings.read(
                        file,
                        Map.of(
                                "SLUICE_ANALYZER_SERVICE_HOST", "10.0.0.1",
                                "SLUICE_ANALYZER_PORT", "tcp://10.0.0.1:80",
                                "SLUICE_ANALYZER_PORT_80_TCP_ADDR", "10.0.0.1")))
                .isNotNull();
    }

    @Test
    void serviceNamedLikeASetting_itsVariablesAreIgnoredWithAWarning() throws Exception {
        SluiceSettings settings = SluiceSettings.read(
                file,
                Map.of(
                        "SLUICE_HTTP_SERVICE_HOST", "10.0.0.1",
                        "SLUICE_HTTP_SERVICE_PORT", "80",
                        "SLUICE_HTTP_PORT", "tcp://10.0.0.1:80",
                        "SLUICE_HTTP_PORT_80_TCP", "tcp://10.0.0.1:80",
                        "SLUICE_HTTP_PORT_80_TCP_PORT", "80",
                        "SLUICE_AGENT_QUOTA_REDIS_SERVICE_HOST", "10.0.0.2",
                        "SLUICE_AGENT_QUOTA_REDIS_PORT", "udp://[fd00::2]:80"));

        assertThat(settings.http().port()).isEqualTo(8480);
        assertThat(settings.agent().quotas()).isEmpty();
        assertThat(settings.warnings())
                .contains("SLUICE_HTTP_PORT: tcp://10.0.0.1:80 is ignored: it is the address of the Kubernetes Service"
                        + " sluice-http, not a setting; enableServiceLinks: false leaves it out")
                .filteredOn(warning -> warning.contains("SLUICE_HTTP"))
                .hasSize(1);
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
    void portThatIsNoNumber_isRefused() {
        for (String wrong : List.of("http", "http://10.0.0.1:80", "tcp://10.0.0.1:80/x", "80 tcp")) {
            assertThat(catchThrowableOfType(
                                    InvalidSettings.class,
                                    () -> SluiceSettings.read(file, Map.of("SLUICE_HTTP_PORT", wrong)))
                            .problems())
                    .singleElement()
                    .asString()
                    .contains("http.port: found " + wrong);
        }
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
    void theApiTakesATokenAndFurtherNames() throws Exception {
        HttpSettings http = read("http: { port: 8490, token-file: token, writes: true, allowed-hosts: [ops.example] }")
                .http();

        assertThat(http).isEqualTo(new HttpSettings("127.0.0.1", 8490, Path.of("token"), true, List.of("ops.example")));
    }

    @Test
    void http_usersAndProxy_areRead() throws Exception {
        HttpSettings http = read("http: { token-file: token, users-file: users,"
                        + " proxy: { trusted: [10.0.0.5, 10.1.0.0/16], user-header: X-User, groups-header: X-Roles } }")
                .http();

        assertThat(http.usersFile()).isEqualTo(Path.of("users"));
        assertThat(http.proxy())
                .isEqualTo(new ProxySettings(
                        List.of(Cidr.parse("10.0.0.5"), Cidr.parse("10.1.0.0/16")), null, "X-User", "X-Roles"));
        assertThat(read("http: { token-file: token, proxy: { trusted: ['127.0.0.1'], secret-file: secret } }")
                        .http()
                        .proxy()
                        .secretFile())
                .isEqualTo(Path.of("secret"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users-file: users | http.users-file: found users, allowed is no file without http.token-file, which signs cookies",
                "proxy: { trusted: [10.0.0.5] } | http.proxy.trusted: found 10.0.0.5, allowed is nothing without http.token-file, which signs CSRF tokens",
                "token-file: t, proxy: { trusted: [10.0.0.5/8] } | http.proxy.trusted: found 10.0.0.5/8, allowed is an address or network such as 10.0.0.0/8; bits are set behind the first 8; the network is 10.0.0.0/8",
                "token-file: t, proxy: { trusted: ['127.0.0.2'] } | http.proxy.trusted: found 127.0.0.2, allowed is a loopback address only with http.proxy.secret-file: every program of the machine can send from there",
                "token-file: t, proxy: { trusted: ['0.0.0.0/0'] } | http.proxy.trusted: found 0.0.0.0/0, allowed is a loopback address only with http.proxy.secret-file: every program of the machine can send from there",
                "token-file: t, proxy: { user-header: 'X User' } | http.proxy.user-header: found X User, allowed is the name of a header"
            })
    void http_unsafeUsersOrProxy_areRefused(String http, String problem) {
        assertThat(problems("http: { " + http + " }"))
                .singleElement()
                .asString()
                .endsWith(problem);
    }

    @Test
    void nothingIsWrittenWithoutAToken() throws Exception {
        assertThat(read("http: { writes: false }").http().writes()).isFalse();
        assertThat(problems("http: { writes: true }"))
                .singleElement()
                .asString()
                .endsWith("http.writes: found true, allowed is false without http.token-file: nothing is changed"
                        + " without a token");
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

    private Path write(String yaml) throws IOException {
        return Files.writeString(file, yaml);
    }

    private SluiceSettings read(String yaml) throws IOException, InvalidSettings {
        return SluiceSettings.read(write(yaml), Map.of());
    }

    private List<String> problems(String yaml) {
        return catchThrowableOfType(InvalidSettings.class, () -> read(yaml)).problems();
    }
}
