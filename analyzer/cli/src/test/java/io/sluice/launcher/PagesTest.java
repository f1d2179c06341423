package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What pages refer to exists: files, sections, tests, and classes. */
class PagesTest {
    static final Path ROOT = Path.of("..", "..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*)$", Pattern.MULTILINE);
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");
    /** In READMEs of modules. Such as {@code AlbFormat}, {@code FaultyBroker.start(Map.of("DOOR", …))}. */
    private static final Pattern TYPE =
            Pattern.compile("`(?:new )?([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?![\\w-])(?:\\.([a-z]\\w*)\\b)?");

    /** Outside of what builds and tests write meanwhile. */
    static List<Path> files() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return Set.of("target", ".git").contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                found.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    static List<Path> pages() throws IOException {
        return files().stream().filter(PagesTest::isPage).toList();
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md");
    }

    /** The pages of examples run exec:java without tests, which resolves the test scope of each module: there are no test jars then. */
    @Test
    void testJars_areDependenciesOfProfilesOnly() throws IOException {
        List<Path> poms = files().stream()
                .filter(file -> file.getFileName().toString().equals("pom.xml"))
                // the root pom only manages their versions
                .filter(file -> !file.equals(ROOT.resolve("pom.xml")))
                .toList();

        assertThat(poms)
                .hasSizeGreaterThan(30)
                .allSatisfy(pom -> assertThat(Files.readString(pom).replaceAll("(?s)<profiles>.*</profiles>", ""))
                        .as(pom.toString())
                        .doesNotContain("<type>test-jar</type>"));
    }

    @Test
    void links_leadToFilesAndSectionsThatExist() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(page)).results().toList()) {
                String target = link.group(1);
                if (!target.matches("[a-z]+:.*")) {
                    links++;
                    if (!exists(page, target)) {
                        broken.add(page + ": " + target);
                    }
                }
            }
        }

        assertThat(links).isGreaterThan(300);
        assertThat(broken).isEmpty();
    }

    private static boolean exists(Path page, String target) throws IOException {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        return Files.exists(file)
                && (parts.length == 1 || !isPage(file) || sections(file).contains(parts[1]));
    }

    /** Names of a page's sections, as GitHub makes them of headings. */
    private static Set<String> sections(Path page) throws IOException {
        Set<String> sections = new HashSet<>();
        for (MatchResult heading :
                HEADING.matcher(Files.readString(page)).results().toList()) {
            String name = heading.group(1)
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            String unused = name;
            for (int i = 1; !sections.add(unused); i++) {
                unused = name + "-" + i;
            }
        }
        return sections;
    }

    @Test
    void tests_thatPagesName_exist() throws IOException {
        Set<String> named = new HashSet<>();
        for (Path page : pages()) {
            TEST.matcher(Files.readString(page)).results().forEach(test -> named.add(test.group(1) + ".java"));
        }

        assertThat(named).hasSizeGreaterThan(100);
        assertThat(files().stream().map(file -> file.getFileName().toString())).containsAll(named);
    }

    private static List<Path> readmes() throws IOException {
        return pages().stream()
                .filter(page -> page.endsWith("README.md"))
                .filter(page -> !page.equals(ROOT.resolve("README.md")))
                .toList();
    }

    /** Every class that a README of a module names, with the method behind it. */
    @Test
    void types_thatReadmesName_exist() throws IOException {
        Map<String, List<Path>> sources = files().stream()
                .filter(file -> file.toString().endsWith(".java"))
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path page : readmes()) {
            for (MatchResult type :
                    TYPE.matcher(Files.readString(page)).results().toList()) {
                // Java's own
                if (Set.of("ServiceLoader", "HttpServer").contains(type.group(1))) {
                    continue;
                }
                named++;
                if (!declared(sources.getOrDefault(type.group(1) + ".java", List.of()), type.group(2))) {
                    missing.add(page + ": " + type.group());
                }
            }
        }

        assertThat(named).isGreaterThan(30);
        assertThat(missing).isEmpty();
    }

    private static boolean declared(List<Path> sources, @Nullable String method) throws IOException {
        for (Path source : sources) {
            if (method == null || Files.readString(source).contains(" " + method + "(")) {
                return true;
            }
        }
        return false;
    }
}
