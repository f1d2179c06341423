package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.topic.MaskedSettings;
import io.sluice.launcher.Sluice;
import io.sluice.settings.SluiceSettings;
import io.sluice.testing.ChildJvm;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Secrets are planted in every file and setting that can hold one; no output shows any of them. */
@Tag("server")
class SecretsTest {
    private static final String PLANTED = "pl4nted";
    private static final List<String> FOREIGN = List.of(
            "basic.auth.user.info",
            "schema.registry.basic.auth.user.info",
            "bearer.auth.token",
            "vendor.apikey",
            "vendor.api.key",
            "vendor.access.key",
            "aws.secret.access.key",
            "cloud.credentials",
            "proxy.authorization",
            "ssl.key.passphrase",
            "vault.private.pem",
            "ldap.pwd",
            "client.assertion",
            "consumer.ssl.key.password",
            "producer.ssl.keystore.password",
            "admin.ssl.truststore.password",
            "main.consumer.sasl.jaas.config",
            "restore.consumer.ssl.key.password",
            "azure.account.key",
            "oauth.client.secret",
            "vendor.session-token");

    @TempDir
    static Path folder;

    private final ConcurrentLinkedQueue<String> logged = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            logged.add(event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    };
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private int planted;

    @BeforeEach
    void listen() {
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(appender);
        root.setLevel(before);
    }

    private String secret() {
        return PLANTED + planted++;
    }

    private static Set<String> kafkasPasswords() {
        Set<String> names = new TreeSet<>();
        Stream.of(ProducerConfig.configDef(), ConsumerConfig.configDef(), AdminClientConfig.configDef())
                .flatMap(definition -> definition.configKeys().values().stream())
                .filter(key -> key.type == ConfigDef.Type.PASSWORD)
                .forEach(key -> names.add(key.name));
        return names;
    }

    private Map<String, String> client() {
        Map<String, String> client = new TreeMap<>();
        kafkasPasswords().forEach(name -> client.put(name, secret()));
        FOREIGN.forEach(name -> client.put(name, secret()));
        client.replaceAll((name, value) -> name.endsWith("jaas.config")
                ? "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"" + value
                        + "\";"
                : value);
        client.put("proxy.url", "http://user:" + secret() + "@proxy.example/");
        client.put("other.url", "http://user:pa/" + secret() + "@proxy.example/");
        client.put("metrics.url", "https://metrics.example/push?apikey=" + secret() + "&page=1");
        client.put("security.protocol", "SASL_PLAINTEXT");
        client.put("sasl.mechanism", "PLAIN");
        return client;
    }

    private Path config(Map<String, String> client) throws Exception {
        List<String> lines = new ArrayList<>();
        client.forEach((name, value) -> lines.add(name + "=" + value));
        Path properties = Files.write(folder.resolve("client.properties"), lines);
        Path token = Files.writeString(folder.resolve("token"), secret() + "-0123456789abcdef");
        Path signing = Files.writeString(folder.resolve("signing"), secret());
        Path keys = keys("keys");
        Path signatures = keys("signatures");
        for (Path file : List.of(properties, token, signing, keys, signatures)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        return Files.writeString(
                folder.resolve("sluice.yml"), """
                kafka: { bootstrap.servers: "127.0.0.1:1", properties-file: %s }
                http: { token-file: %s }
                topics: { signing-key-file: %s }
                agent: { service: orders, pseudonym-key-file: %s }
                sidecar: { http: "127.0.0.1:0", grpc: "127.0.0.1:0" }
                webhooks: [{ url: "https://ops.example/%s", secret-file: %s }]
                """.formatted(properties, token, signatures, keys, secret(), signing));
    }

    /** Two keys in Base64, each of which begins with a secret. */
    private Path keys(String name) throws Exception {
        String key = "%s" + "A".repeat(43) + "=";
        return Files.write(
                folder.resolve(name),
                List.of(
                        "k2: " + key.formatted(secret()).substring(0, 43) + "=",
                        "k1: " + key.formatted(secret()).substring(0, 43) + "="));
    }

    private String run(String command, Path config) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("--config", config.toString()));
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed, true);
        String[] all = words.toArray(String[]::new);
        var unused = SluiceCommand.commandLine(all).setOut(out).setErr(out).execute(all);
        return printed.toString();
    }

    @Test
    void allSettingsThatKafkaKeepsSecret_areMasked() {
        assertThat(kafkasPasswords())
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(MaskedSettings.value(name, "x")).isEqualTo(MaskedSettings.MASK));
        assertThat(FOREIGN)
                .allSatisfy(name -> assertThat(MaskedSettings.value(name, "x")).isEqualTo(MaskedSettings.MASK));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "analyzer --print-config",
                "sidecar --print-config",
                "analyzer",
                "doctor",
                "locks list",
                "policies list",
                "topics verify",
                "callers top",
                "replay --topic sluice.requests"
            })
    void output_andLog_showNone(String command) throws Exception {
        Path config = config(client());

        String printed = run(command, config);

        assertThat(planted).isGreaterThanOrEqualTo(40);
        assertThat(printed).isNotEmpty().doesNotContain(PLANTED);
        assertThat(logged).noneMatch(line -> line.contains(PLANTED));
    }

    @Test
    void listOfProcesses_showsNone() throws Exception {
        Path config = config(client());
        List<String> command = ChildJvm.command(List.of(), Sluice.class);
        command.addAll(List.of("sidecar", "--config", config.toString()));
        Process sidecar = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("sidecar.log").toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(Files.readString(folder.resolve("sidecar.log")))
                            .contains(" answers on "));
            Process ps = new ProcessBuilder("ps", "-eo", "args").start();
            String listed = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(listed).contains("sidecar --config " + config).doesNotContain(PLANTED);
            assertThat(Files.readString(folder.resolve("sidecar.log"))).doesNotContain(PLANTED);
        } finally {
            sidecar.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "webhooks: [{ url: \"ftp://user:%s@ops.example/\" }]",
                "webhooks: [{ url: \"https://user:%s@ops.example/\" }]",
                "webhooks: [{ url: \"https://ops.example/ %s\" }]"
            })
    void refusedSettings_showNone(String wrong) throws Exception {
        Path config = Files.writeString(folder.resolve("wrong.yml"), wrong.formatted(secret()));

        assertThat(run("doctor", config)).contains("webhooks").doesNotContain(PLANTED);
    }

    @Test
    void refusedClasses_showNone() throws Exception {
        Map<String, String> client = client();
        client.put("sasl.jaas.config", "com.example.Login required password=\"" + secret() + "\";");

        assertThat(run("doctor", config(client)))
                .contains("client.properties: sasl.jaas.config: found the login module com.example.Login")
                .doesNotContain(PLANTED);
    }

    @Test
    void dumpedSettings_showNone() throws Exception {
        SluiceSettings settings = SluiceSettings.read(config(client()), Map.of());

        assertThat(settings.toString()).contains("127.0.0.1:1").doesNotContain(PLANTED);
        assertThat(AnalyzerOptions.of(settings, settings.kafka().client(), null).toString())
                .contains("127.0.0.1:1")
                .doesNotContain(PLANTED);
    }

    @Test
    void clientThatCannotBeMade_showsNone() throws Exception {
        Map<String, String> client = client();
        client.put("security.protocol", "SSL");

        String printed = run("locks list", config(client));

        assertThat(printed).isNotEmpty().doesNotContain(PLANTED);
        assertThat(logged).noneMatch(line -> line.contains(PLANTED));
    }

    @Test
    void filesThatEveryUserCanRead_areWarnedOf() throws Exception {
        Path config = config(client());

        assertThat(run("doctor", config))
                .contains(
                        "every user can read " + folder.resolve("client.properties") + " (rw-r--r--)",
                        "every user can read " + folder.resolve("token"),
                        "every user can read " + folder.resolve("signing"),
                        "every user can read " + folder.resolve("keys"),
                        "every user can read " + folder.resolve("signatures"))
                .doesNotContain(PLANTED);

        for (String file : List.of("client.properties", "token", "signing", "keys", "signatures")) {
            Files.setPosixFilePermissions(folder.resolve(file), PosixFilePermissions.fromString("rw-r-----"));
        }
        assertThat(run("doctor", config)).doesNotContain("every user can read");
    }

    @Test
    void noArgumentTakesASecret() {
        List<String> options = new ArrayList<>();
        collect(SluiceCommand.commandLine(), options);
        assertThat(options)
                .hasSizeGreaterThan(50)
                // the name of a file is no secret
                .noneMatch(name -> name.matches(".*(token|passw|secret|credential).*") && !name.endsWith("-file"));
    }

    private static void collect(CommandLine command, List<String> options) {
        command.getCommandSpec().options().forEach(option -> options.addAll(List.of(option.names())));
        command.getSubcommands().values().forEach(each -> collect(each, options));
    }

    @Test
    void invalidSettings_areNoExceptionWithSecrets() throws Exception {
        Path config = config(client());
        Files.writeString(config, Files.readString(config) + "analyzer: { threads: -1 }\n");

        assertThat(catchThrowable(() -> SluiceSettings.read(config, Map.of())))
                .hasMessageContaining("analyzer.threads")
                .hasMessageNotContaining(PLANTED);
    }
}
