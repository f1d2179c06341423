package io.sluice.settings;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The base of the tests of settings: a {@code sluice.yml}, empty at first. */
abstract class SettingsFixture {
    @TempDir
    Path folder;

    Path file;

    @BeforeEach
    void anEmptyFile() throws IOException {
        file = Files.writeString(folder.resolve("sluice.yml"), "");
    }

    Path write(String yaml) throws IOException {
        return Files.writeString(file, yaml);
    }

    SluiceSettings read(String yaml) throws IOException, InvalidSettings {
        return SluiceSettings.read(write(yaml), Map.of());
    }

    List<String> problems(String yaml) {
        return catchThrowableOfType(InvalidSettings.class, () -> read(yaml)).problems();
    }
}
