package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Comments, messages and pages describe things in the terms of the field. These words turn code into a person, or stand where a noun is missing.
 */
class PlainEnglishTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern COMMENT = Pattern.compile("^\\s*(\\*|/\\*|//).*");
    private static final Pattern PERSONS =
            Pattern.compile("\\b(who|whom|whoever|nobody|somebody)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern UNNAMED =
            Pattern.compile("\\b(whoever|nobody|somebody|anybody|everybody)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern SPEECH =
            Pattern.compile("\\b(says?|said|tells?|told|hears?|heard)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern PERSONS_IN_PAGES = Pattern.compile(
            "\\b(who|whom|whoever|whose|nobody|somebody|everybody|anybody)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern SPEECH_IN_PAGES =
            Pattern.compile("\\b(say|says|said|tell|tells|told|hear|heard)\\b", Pattern.CASE_INSENSITIVE);

    /** A text of three words or more: shorter ones are names. */
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*\\w+ (?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern BEGIN =
            Pattern.compile("/\\*\\*\\s+(?:\\*\\s+)?(\\w+)|^\\s*// (\\w+)", Pattern.MULTILINE);

    private static List<Path> productCode() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String folder : List.of("shared", "analyzer", "gateway-agent")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(PlainEnglishTest::isProductCode).forEach(all::add);
            }
        }
        return all;
    }

    private static List<String> comments() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : productCode()) {
            lines.addAll(comments(file));
        }
        return lines;
    }

    private static List<String> comments(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> COMMENT.matcher(line).matches())
                .map(line -> file + ": " + line.strip())
                .toList();
    }

    private static boolean isProductCode(Path file) {
        String name = file.toString();
        return name.endsWith(".java") && name.contains("/src/main/java/");
    }

    private static List<String> pages() throws IOException {
        List<Path> files = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
        }
        List<String> lines = new ArrayList<>();
        for (Path file : files) {
            Files.readAllLines(file).stream().map(line -> file + ": " + line).forEach(lines::add);
        }
        return lines;
    }

    /** One entry for each occurrence: lines of pages are long, and may hold several. */
    private static List<String> occurrences(List<String> lines, Pattern words) {
        return lines.stream()
                .flatMap(line -> words.matcher(line.substring(line.indexOf(": ")))
                        .results()
                        .map(word -> word.group() + " in " + line))
                .toList();
    }

    private static List<String> found(List<String> lines, Pattern words) {
        return lines.stream()
                .filter(line ->
                        words.matcher(line.substring(line.indexOf(": "))).find())
                .toList();
    }

    @Test
    void comments_nameThingsNotPersons() throws IOException {
        assertThat(found(comments(), PERSONS)).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void comments_ofAllModulesAndTheirTests_nameTheThing() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String module : List.of("shared", "analyzer", "gateway-agent", "testing", "benchmarks", "examples")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
                for (Path file : files.filter(it -> it.toString().matches(".*/src/(main|test)/java/.*\\.java"))
                        .toList()) {
                    lines.addAll(comments(file));
                }
            }
        }
        assertThat(lines).hasSizeGreaterThan(10_000);
        assertThat(found(lines, UNNAMED)).isEmpty();
        List<String> tests =
                lines.stream().filter(line -> line.contains("/src/test/")).toList();
        assertThat(tests).hasSizeGreaterThan(2_000);
        assertThat(found(tests, PERSONS)).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void comments_letNothingSpeak() throws IOException {
        assertThat(found(comments(), SPEECH)).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void messages_nameThingsNotPersons_andLetNothingSpeak() throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path file : productCode()) {
            for (String line : Files.readAllLines(file)) {
                if (!COMMENT.matcher(line).matches()) {
                    TEXT.matcher(line).results().forEach(text -> texts.add(file + ": " + text.group(1)));
                }
            }
        }

        assertThat(texts).hasSizeGreaterThan(1_000);
        assertThat(occurrences(texts, PERSONS)).hasSizeLessThanOrEqualTo(5);
        assertThat(occurrences(texts, SPEECH_IN_PAGES)).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void pages_nameThingsNotPersons() throws IOException {
        assertThat(occurrences(pages(), PERSONS_IN_PAGES)).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void pages_letNothingSpeak() throws IOException {
        assertThat(occurrences(pages(), SPEECH_IN_PAGES)).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void comments_beginWithTheThing() throws IOException {
        int all = 0;
        List<String> questions = new ArrayList<>();
        for (Path file : productCode()) {
            for (MatchResult begin :
                    BEGIN.matcher(Files.readString(file)).results().toList()) {
                String word = begin.group(1) == null ? begin.group(2) : begin.group(1);
                all++;
                if (List.of("what", "who", "whether").contains(word.toLowerCase(Locale.ROOT))) {
                    questions.add(file + ": " + begin.group());
                }
            }
        }
        assertThat(all).isGreaterThan(2_000);
        assertThat(questions).hasSizeLessThanOrEqualTo(all * 3 / 100);
    }
}
