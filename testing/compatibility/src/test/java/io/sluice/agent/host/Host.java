package io.sluice.agent.host;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link HostMain} as a process: its Java, its class path, and what it said. */
final class Host implements AutoCloseable {
    private static final String OWN_KAFKA = System.getProperty("sluice.kafka");
    private static final Path CLIENTS = Path.of(System.getProperty("sluice.clients"));
    private static final long PATIENCE_MINUTES = 5;

    private final Process process;
    private final Path told;
    private final Path complaints;

    private Host(Process process, Path told, Path complaints) {
        this.process = process;
        this.told = told;
        this.complaints = complaints;
    }

    /**
     * Starts it.
     *
     * @param java the home of the Java it runs on
     * @param libraries its kafka-clients, and jackson-core and slf4j-api when they are not ours
     * @param backEnd whether it has a log back end; without one there is only slf4j-api
     * @param end {@code close} or {@code leave}
     */
    static Host start(
            Path folder, Path java, List<Path> libraries, boolean backEnd, String bootstrap, String name, String end)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                java.resolve("bin/java").toString(), "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        if (!java.equals(Path.of(System.getProperty("java.home")))) {
            // kafka-clients' codecs are native and use Unsafe; newer Javas say so otherwise
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.addAll(List.of(
                "-Dlogback.configurationFile=only-trouble-logback.xml",
                "-cp",
                classPath(libraries, backEnd),
                HostMain.class.getName(),
                bootstrap,
                name,
                end));
        Path told = folder.resolve(name + ".out");
        Path complaints = folder.resolve(name + ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(told.toFile()).redirectError(complaints.toFile());
        return new Host(builder.start(), told, complaints);
    }

    private static String classPath(List<Path> libraries, boolean backEnd) {
        Set<String> replaced = libraries.stream().map(Host::artifact).collect(Collectors.toSet());
        List<String> entries = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> wanted(Path.of(entry).toUri().getPath(), backEnd))
                .filter(entry -> !replaced.contains(artifact(Path.of(entry))))
                .collect(Collectors.toCollection(ArrayList::new));
        libraries.forEach(library -> entries.add(library.toString()));
        return String.join(File.pathSeparator, entries);
    }

    /** A jar's name without its version. */
    private static String artifact(Path jar) {
        return jar.getFileName().toString().replaceAll("-[0-9].*", "");
    }

    /** The kafka-clients of a version that the build has put there. */
    static List<Path> kafkaClients(String version) {
        Path clients = CLIENTS.resolve("kafka-clients-" + version + ".jar");
        if (!Files.exists(clients)) {
            throw new IllegalStateException(clients + " is missing: the build puts it there");
        }
        return List.of(clients);
    }

    /** The libraries that the build has put there: {@code least}, {@code latest} or {@code refused}. */
    static List<Path> libraries(String kind) throws IOException {
        try (Stream<Path> jars = Files.list(CLIENTS.resolveSibling(kind))) {
            return jars.sorted().toList();
        }
    }

    /** The agent, what it brings, and the host itself. */
    private static boolean wanted(String entry, boolean backEnd) {
        return entry.matches(".*/(gateway-agent/core|shared/contract)/target/.*")
                || entry.matches(".*/sluice-(agent|contract)-[^/]*\\.jar")
                || entry.matches(".*/(jackson-core|slf4j-api|lz4-java|snappy-java|zstd-jni)-[^/]*\\.jar")
                || entry.endsWith("/target/test-classes/")
                || (backEnd && entry.matches(".*/logback-(classic|core)-[^/]*\\.jar"));
    }

    static List<String> kafkas() {
        String[] jars = CLIENTS.toFile().list();
        return Arrays.stream(jars == null ? new String[0] : jars)
                .map(jar -> jar.replaceAll("^kafka-clients-|\\.jar$", ""))
                .sorted()
                .toList();
    }

    static String ownKafka() {
        return OWN_KAFKA;
    }

    /** What it told, once it has ended by itself. */
    Map<String, String> told() throws Exception {
        if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            throw new AssertionError("it did not end; it told " + Files.readString(told) + " and " + complaints());
        }
        return Files.readAllLines(told).stream()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    int exitCode() {
        return process.exitValue();
    }

    /** All that it wrote to its standard error. */
    String complaints() throws IOException {
        return Files.readString(complaints);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
