package io.sluice.demo.stage;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The temporary folder of one run: data, state, settings and policies. Deleted when closed. */
final class StageFolder implements AutoCloseable {
    private final Path folder;

    private StageFolder(Path folder) {
        this.folder = folder;
    }

    static StageFolder create(String policies) throws IOException {
        StageFolder created = new StageFolder(Files.createTempDirectory("sluice-demo-"));
        Files.writeString(created.policyFile(), policies);
        return created;
    }

    Path kafka() {
        return folder.resolve("kafka");
    }

    Path kafkaLog() {
        return folder.resolve("kafka.log");
    }

    Path policyFile() {
        return folder.resolve("policies.yml");
    }

    /** Settings of the demo alone: neither the user's file nor the environment can change what it shows. */
    SluiceSettings settings(String bootstrap) throws IOException {
        Path file = folder.resolve("sluice.yml");
        Files.write(
                file,
                List.of(
                        "kafka: { bootstrap.servers: \"" + bootstrap + "\" }",
                        "topics: { create: true }",
                        "analyzer:",
                        "  instance: demo",
                        "  state-dir: \"" + folder.resolve("state") + "\""));
        try {
            return SluiceSettings.read(file, Map.of());
        } catch (InvalidSettings e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    PolicySet policies() throws IOException {
        try {
            return PolicyFile.read(policyFile());
        } catch (InvalidPolicies | MalformedRecord e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
