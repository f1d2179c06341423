package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/configuration.md has every key with its default, and none that is refused. */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "configuration.md");

    @Test
    void everyKeyStandsThereWithItsDefaultAndNothingElseDoes() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| `[a-z]+[.a-z0-9N-]*` \\| .*"))
                .map(line -> line.replaceFirst("^\\| `([^`]+)` \\| `?([^`|]+?)`? \\|.*", "$1 = $2"))
                .toList();

        List<String> keys = Stream.of(
                        KnownKeys.DEFAULTS.entrySet().stream().map(key -> row(key.getKey(), key.getValue())),
                        KnownKeys.SOURCE.entrySet().stream()
                                .map(key -> row("sources.N." + key.getKey(), key.getValue())),
                        KnownKeys.WEBHOOK.entrySet().stream()
                                .map(key -> row("webhooks.N." + key.getKey(), key.getValue())))
                .flatMap(all -> all)
                .toList();

        assertThat(rows).containsExactlyInAnyOrderElementsOf(keys);
    }

    private static String row(String key, String value) {
        return key + " = " + (value.isEmpty() ? "-" : value);
    }
}
