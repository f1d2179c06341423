package io.sluice.faults.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The {@code analyzer} command in a process of its own. */
public final class AnalyzerProcess {
    private AnalyzerProcess() {}

    /**
     * What to run; {@link JavaProcess#start} starts it.
     *
     * @param folder holds its settings, its log and its state
     * @param settings the content of {@code sluice.yml}, as {@link #settings} makes it
     */
    public static JavaProcess.Spec of(String instance, Path folder, String settings) {
        Path file = folder.resolve(instance + ".yml");
        try {
            Files.createDirectories(folder);
            Files.writeString(file, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new JavaProcess.Spec(
                        instance,
                        folder,
                        SluiceMain.class,
                        // the first seconds count more than the hundredth
                        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                        List.of("analyzer", "--config", file.toString()))
                .with(Map.of("SLUICE_ANALYZER_INSTANCE", instance));
    }

    /**
     * One that is called {@code a}, with two partitions, topics under {@code f.} and its state below the folder.
     *
     * @param more what stands under {@code analyzer} beside the state's directory, such as {@code max-lease: 10s}
     */
    public static JavaProcess.Spec usual(Path folder, String bootstrap, Path policies, String... more) {
        StringBuilder analyzer = new StringBuilder("analyzer: { state-dir: ").append(folder.resolve("state"));
        for (String each : more) {
            analyzer.append(", ").append(each);
        }
        return of("a", folder, settings(bootstrap, "f.", 2, policies, analyzer + " }"));
    }

    /** One that finds its topics or is refused: it makes none. */
    public static JavaProcess.Spec withoutTopics(
            String instance, Path folder, String bootstrap, String prefix, int partitions, Path policies) {
        String settings = settings(
                bootstrap,
                prefix,
                partitions,
                policies,
                "analyzer: { state-dir: " + folder.resolve("state-" + instance) + " }");
        return of(instance, folder, settings.replace("create: true", "create: false"));
    }

    /** Any command of {@code ./sluice}; what is wrong goes to its log. */
    public static JavaProcess.Spec command(String name, Path folder, String... command) {
        return new JavaProcess.Spec(
                name,
                folder,
                SluiceMain.class,
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                List.of(command));
    }

    /**
     * The usual settings.
     *
     * @param prefix of the topics, which are made
     * @param policies a file of policies
     * @param more further lines, whole keys of {@code sluice.yml}; {@code analyzer} stands here, with its {@code state-dir}
     */
    public static String settings(String bootstrap, String prefix, int partitions, Path policies, String more) {
        return """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: %d, create: true }
                policies: %s
                sources: [{ topic: %srequests, format: json }]
                http: { port: 0 }
                %s
                """.formatted(bootstrap, prefix, partitions, policies, prefix, more);
    }
}
