package io.sluice.settings;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration: {@code sluice.yml}, the environment over it, defaults under it. Immutable.
 *
 * @param policies the analyzer's policy file, or {@code null}
 * @param sources at least one
 * @param webhooks the receivers of the events of locks, mostly none
 * @param warnings what is allowed and yet unsafe, a sentence each
 * @param printed every key with its value and where it came from, secrets masked: for {@code --print-config}
 */
public record SluiceSettings(
        KafkaSettings kafka,
        TopicSettings topics,
        @Nullable Path policies,
        List<SourceSettings> sources,
        AnalyzerSettings analyzer,
        HttpSettings http,
        AgentSettings agent,
        SidecarSettings sidecar,
        List<WebhookSettings> webhooks,
        String printed,
        List<String> warnings) {

    /** The file that is read where none is named, if it is there. */
    public static final String DEFAULT_FILE = "sluice.yml";

    /**
     * Reads the settings.
     *
     * @param file the file named by the user, or {@code null} for {@link #DEFAULT_FILE} in the working directory if it exists
     * @param environment usually {@link System#getenv()}
     * @throws InvalidSettings with all problems at once
     */
    public static SluiceSettings read(@Nullable Path file, Map<String, String> environment) throws InvalidSettings {
        return read(file, null, environment);
    }

    /**
     * Reads the settings of a command that can be given the address of Kafka.
     *
     * @param bootstrap {@code host:port,…} in place of {@code kafka.bootstrap.servers}, or {@code null}
     * @throws InvalidSettings with all problems at once
     */
    public static SluiceSettings read(@Nullable Path file, @Nullable String bootstrap, Map<String, String> environment)
            throws InvalidSettings {
        if (file != null && file.toString().isEmpty()) {
            throw new InvalidSettings(List.of("--config: found nothing, allowed is a file; leave the option out for "
                    + DEFAULT_FILE + ", if there is one"));
        }
        Path chosen = file != null ? file : Path.of(DEFAULT_FILE);
        Node tree = file != null || Files.exists(chosen)
                ? parse(chosen)
                : new Node.Mapping(new Place("default", 0), List.of());
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Map<String, Found> found = RawSettings.of(tree, environment, problems, warnings);
        if (bootstrap != null && bootstrap.isBlank()) {
            // such as an empty variable of a shell: no other Kafka may be taken for the one that was meant
            problems.add("--bootstrap: found nothing, allowed is HOST:PORT, or several with commas;"
                    + " leave the option out for kafka.bootstrap.servers");
        } else if (bootstrap != null) {
            found.put("kafka.bootstrap.servers", new Found(List.of(bootstrap), "--bootstrap"));
        }
        SluiceSettings settings = new SettingsReader(found, problems, warnings).read();
        if (!problems.isEmpty()) {
            throw new InvalidSettings(problems);
        }
        return settings;
    }

    private static Node parse(Path file) throws InvalidSettings {
        try {
            return YamlNodes.read(Files.readAllBytes(file), file.toString());
        } catch (MalformedRecord e) {
            throw new InvalidSettings(List.of(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            throw new InvalidSettings(List.of(FileErrors.message(file, e)));
        }
    }
}
