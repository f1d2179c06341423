package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReplayWordsTest {
    private static final Path PAGE = Path.of("../../docs/replay.md");
    private static final Pattern KINDS = Pattern.compile("the `kinds` \\(([^)]+)\\)");

    @Test
    void dashboard_hasWordsForEachKindOfChange() throws Exception {
        String listed = KINDS.matcher(Files.readString(PAGE))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        List<String> kinds = Pattern.compile("`(\\w+)`")
                .matcher(listed)
                .results()
                .map((MatchResult kind) -> kind.group(1))
                .toList();
        String script;
        try (InputStream source = ReplayWordsTest.class.getResourceAsStream("dashboard/replay-result.js")) {
            script = new String(source.readAllBytes(), StandardCharsets.UTF_8);
        }
        String words = script.substring(script.indexOf("const KINDS = {"), script.indexOf("};"));

        assertThat(kinds)
                .hasSizeGreaterThan(10)
                .allSatisfy(kind -> assertThat(words).contains(kind + ": '"));
    }
}
