package io.sluice.settings;

import io.sluice.contract.topic.MaskedSettings;
import io.sluice.contract.topic.RecordSignatures;
import io.sluice.contract.topic.TopicNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the settings of Kafka clients of the section {@code kafka}, its properties file and the keys of signatures. */
final class KafkaReader {
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final String BOOTSTRAP = "bootstrap.servers";

    private final Values values;
    private final List<String> problems;
    private final List<String> warnings;

    KafkaReader(Values values, List<String> problems, List<String> warnings) {
        this.values = values;
        this.problems = problems;
        this.warnings = warnings;
    }

    KafkaSettings read() {
        Map<String, String> properties = new TreeMap<>();
        Path file = values.path("kafka.properties-file");
        if (file != null) {
            Properties loaded = new Properties();
            try (BufferedReader reader = Files.newBufferedReader(file)) {
                reader.mark(1);
                // Properties would take a byte order mark for part of the first name, and drop that setting silently
                if (reader.read() != BYTE_ORDER_MARK) {
                    reader.reset();
                }
                loaded.load(reader);
            } catch (IOException e) {
                values.problem(
                        "kafka.properties-file",
                        file.toString(),
                        "a readable properties file (" + FileErrors.message(file, e) + ")");
            } catch (IllegalArgumentException e) {
                values.problem(
                        "kafka.properties-file",
                        file.toString(),
                        "a readable properties file (" + e.getMessage() + ")");
            }
            loaded.stringPropertyNames().forEach(name -> properties.put(name, loaded.getProperty(name)));
            if (properties.keySet().stream().anyMatch(MaskedSettings::isSecret)) {
                SecretFiles.warning("kafka.properties-file", file).ifPresent(warnings::add);
            }
            boolean allowed = values.truth("kafka.allow-unsafe-clients");
            for (String unsafe : UnsafeClientSettings.in(properties)) {
                if (allowed) {
                    warnings.add(file + ": " + unsafe + "; kafka.allow-unsafe-clients is true");
                } else {
                    problems.add(file + ": " + unsafe + "; kafka.allow-unsafe-clients: true allows it");
                }
            }
        }
        String bootstrap = bootstrap();
        String servers = properties.get(BOOTSTRAP);
        // Kafka replaces ${…} by what its config.providers name
        if (bootstrap == null && servers != null && !servers.contains("${") && !BootstrapServers.valid(servers)) {
            problems.add(file + ": " + BOOTSTRAP + ": found " + (servers.isBlank() ? "nothing" : servers)
                    + ", allowed is " + BootstrapServers.ALLOWED);
        }
        return new KafkaSettings(bootstrap, properties, signing());
    }

    private @Nullable String bootstrap() {
        String servers = values.optional("kafka.bootstrap.servers");
        if (servers != null && !BootstrapServers.valid(servers)) {
            values.problem("kafka.bootstrap.servers", servers, BootstrapServers.ALLOWED);
        }
        return servers;
    }

    private Map<String, String> signing() {
        boolean accept =
                values.choice("topics.unsigned", List.of("refuse", "accept")).equals("accept");
        Path file = values.path("topics.signing-key-file");
        if (file == null) {
            return Map.of();
        }
        SecretFiles.warning("topics.signing-key-file", file).ifPresent(warnings::add);
        Map<String, String> signing =
                RecordSignatures.settings(file, new TopicNames(values.text("topics.prefix")), accept);
        String problem = RecordSignatures.problem(signing);
        if (problem != null) {
            values.problem("topics.signing-key-file", file.toString(), "a file of keys; " + problem);
        }
        return signing;
    }
}
