package io.sluice.operating;

import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.kafka.embedded.EmbeddedKafka;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A broker that speaks TLS, asks for a password (SCRAM) and denies what no rule allows; with a properties file for each user. */
final class SecuredCluster implements AutoCloseable {
    /** The users of the rules, and one with all rights. */
    static final List<String> USERS =
            List.of("sluice-analyzer", "sluice-agent", "sluice-publisher", "sluice-operator", "admin");

    private static final String LISTENER = "SASL_SSL";
    private static final String STORE_PASSWORD = "changeit";

    private final EmbeddedKafka broker;
    private final Path folder;

    private SecuredCluster(EmbeddedKafka broker, Path folder) {
        this.broker = broker;
        this.folder = folder;
    }

    static SecuredCluster start(Path folder) throws Exception {
        Path keys = folder.resolve("broker.p12");
        keytool(
                "-genkeypair",
                "-keystore",
                keys,
                "-alias",
                "broker",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1");
        Path certificate = folder.resolve("broker.crt");
        keytool("-exportcert", "-keystore", keys, "-alias", "broker", "-file", certificate);
        keytool(
                "-importcert",
                "-keystore",
                folder.resolve("trust.p12"),
                "-alias",
                "broker",
                "-file",
                certificate,
                "-noprompt");
        EmbeddedKafka.Builder builder = EmbeddedKafka.builder()
                .property("listeners", LISTENER + "://127.0.0.1:0")
                .property("ssl.keystore.location", keys.toString())
                .property("ssl.keystore.password", STORE_PASSWORD)
                .property("ssl.key.password", STORE_PASSWORD)
                .property("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .property("super.users", "User:admin");
        USERS.forEach(user -> builder.user(user, user + "-secret"));
        SecuredCluster cluster = new SecuredCluster(builder.start(), folder);
        for (String user : USERS) {
            cluster.write(user);
        }
        return cluster;
    }

    private static void keytool(Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        command.addAll(List.of("-storepass", STORE_PASSWORD, "-storetype", "PKCS12"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }

    private void write(String user) throws IOException {
        Files.writeString(properties(user), """
                security.protocol=SASL_SSL
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="%s" password="%s-secret";
                ssl.truststore.location=%s
                ssl.truststore.password=%s
                bootstrap.servers=%s
                """.formatted(
                        user, user, folder.resolve("trust.p12"), STORE_PASSWORD, broker.bootstrapServers(LISTENER)));
        // otherwise every command warns of it
        Files.setPosixFilePermissions(properties(user), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(settings(user), "kafka: { properties-file: \"%s\" }%n".formatted(properties(user)));
    }

    private Path properties(String user) {
        return folder.resolve(user + ".properties");
    }

    /** A {@code sluice.yml} that names the user's properties file and nothing else. */
    Path settings(String user) {
        return folder.resolve(user + ".yml");
    }

    /** What the user's properties file says. */
    Map<String, Object> client(String user) throws IOException {
        Properties read = new Properties();
        try (var in = Files.newBufferedReader(properties(user))) {
            read.load(in);
        }
        Map<String, Object> client = new HashMap<>();
        read.forEach((key, value) -> client.put(key.toString(), value));
        return client;
    }

    /** What a command said. */
    record Result(int code, String out, String err) {}

    /** Runs a command with the user's settings. */
    Result run(String user, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine sluice =
                SluiceCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = Stream.concat(
                        Stream.of(arguments),
                        Stream.of("--config", settings(user).toString()))
                .toArray(String[]::new);
        return new Result(sluice.execute(all), out.toString(), err.toString());
    }

    @Override
    public void close() {
        broker.close();
    }
}
