package io.sluice.accesslogs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files that readers copy, with this test's own folders and addresses in them. */
final class Settings {
    private static final Path FOLDER = Path.of("../../examples/access-logs");

    private Settings() {}

    /** Returns what the README quotes between backticks, from these characters on. */
    static String quoted(String start) throws IOException {
        Matcher quoted = Pattern.compile("`(" + Pattern.quote(start) + "[^`]*)`")
                .matcher(Files.readString(FOLDER.resolve("README.md")));
        assertThat(quoted.find()).as("%s in the README", start).isTrue();
        return quoted.group(1);
    }

    /**
     * Copies one of them.
     *
     * @param changes what stands in it to what shall; each must be found
     */
    static Path copy(String name, Path to, Map<String, String> changes) throws IOException {
        String text = Files.readString(FOLDER.resolve(name));
        for (Map.Entry<String, String> change : changes.entrySet()) {
            assertThat(text).as("%s as it is shipped", name).contains(change.getKey());
            text = text.replace(change.getKey(), change.getValue());
        }
        return Files.writeString(to, text);
    }
}
