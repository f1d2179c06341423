package io.sluice.launcher;

import static io.sluice.launcher.PagesTest.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Commands that pages show can be typed: subcommands, options and values are known, and so are the modules and files that they name. */
class PageCommandsTest {
    /** The rest of a line, or up to the end of the quote. */
    private static final Pattern COMMAND =
            Pattern.compile("(?m)^ {4,}(?:\\$ )?(?:[A-Z_]+=\\S+ )?\\./sluice (.*)$|`\\./sluice ([^`]+)`");

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final Pattern MODULE = Pattern.compile("\\./mvnw [^\\n`]*-pl (\\S+)");
    private static final Pattern FILE = Pattern.compile("(?<![\\w/.])examples/[\\w./-]*\\w");

    /** With its options, but not run. What stands for something else ends a command: {@code …}. */
    @Test
    void commands_thatPagesShow_areUnderstood() throws IOException {
        List<String> wrong = new ArrayList<>();
        int shown = 0;
        for (Path page : PagesTest.pages()) {
            // what was possible in former versions
            if (page.endsWith("CHANGELOG.md")) {
                continue;
            }
            for (MatchResult command :
                    COMMAND.matcher(Files.readString(page)).results().toList()) {
                String typed = command.group(1) == null ? command.group(2) : command.group(1);
                shown++;
                problem(typed).ifPresent(problem -> wrong.add(page + ": " + typed + ": " + problem));
            }
        }

        assertThat(shown).isGreaterThan(120);
        assertThat(wrong).isEmpty();
    }

    private static Optional<String> problem(String typed) {
        List<String> words = new ArrayList<>();
        for (MatchResult word : WORD.matcher(typed).results().toList()) {
            String text = word.group();
            if (Set.of("|", ">", "…").contains(text) || text.startsWith("#")) {
                break;
            }
            words.add(text.replaceAll("^[\"']|[\"']$", ""));
        }
        CommandLine sluice = Sluice.commandLine();
        CommandLine last = sluice;
        for (String word : words) {
            if (last.getSubcommands().containsKey(word)) {
                last = last.getSubcommands().get(word);
            }
        }
        if (last != sluice && words.size() == 1) {
            // the name of a group stands for its commands
            return Optional.empty();
        }
        try {
            sluice.parseArgs(words.toArray(String[]::new));
            return Optional.empty();
        } catch (CommandLine.MissingParameterException e) {
            // sentences name commands without what they need
            return Optional.empty();
        } catch (CommandLine.ParameterException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Modules that Maven is called for, and the files that commands of pages read. */
    @Test
    void modulesAndFiles_ofCommands_exist() throws IOException {
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path page : PagesTest.pages()) {
            String text = Files.readString(page);
            for (MatchResult module : MODULE.matcher(text).results().toList()) {
                for (String folder : module.group(1).split(",", -1)) {
                    named++;
                    if (!Files.exists(ROOT.resolve(folder).resolve("pom.xml"))) {
                        missing.add(page + ": -pl " + folder);
                    }
                }
            }
            for (MatchResult file : FILE.matcher(text).results().toList()) {
                named++;
                // what a build makes
                if (!file.group().contains("/target/") && !Files.exists(ROOT.resolve(file.group()))) {
                    missing.add(page + ": " + file.group());
                }
            }
        }

        assertThat(named).isGreaterThan(60);
        assertThat(missing).isEmpty();
    }
}
