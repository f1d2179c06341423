package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completion script in a real bash; a script stands for the launcher, which it asks for names. */
class CompletionTest {
    @TempDir
    Path folder;

    private Path script;
    private Path launcher;

    @BeforeEach
    void aLauncherThatKnowsNames() throws Exception {
        StringWriter out = new StringWriter();
        SluiceCommand.commandLine().setOut(new PrintWriter(out)).execute("completion");
        script = Files.writeString(folder.resolve("completion.bash"), out.toString());
        launcher = Files.writeString(
                folder.resolve("sluice"),
                "#!/bin/sh\ncase \"$*\" in 'candidates policies') echo noisy; echo nightly;; 'candidates subjects') echo"
                        + " acme; echo zen;; esac\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "locks release n          | noisy nightly",
                "locks why noisy a        | acme",
                "locks history ni         | nightly",
                "locks add noisy acme --mode th | throttle",
                "callers show z           | zen",
                "callers top --policy no  | noisy",
                "replay --format com      | combined",
                "replay --fail-on ch      | changes"
            })
    void word_isCompletedWithWhatTheSystemHas(String typed, String completed) throws Exception {
        assertThat(completed(typed)).containsExactlyInAnyOrder(completed.split(" ", -1));
    }

    @Test
    void commands_hiddenOnes_areNotOffered() throws Exception {
        assertThat(completed("c")).contains("callers", "completion").doesNotContain("candidates");
    }

    @Test
    void options_hiddenOnes_areNotOffered() throws Exception {
        assertThat(completed("enforce off --")).contains("--for", "--reason");
        assertThat(completed("enforce on --")).contains("--reason").doesNotContain("--for");
    }

    private List<String> completed(String typed) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "compopt() { :; }; source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _complete_sluice; printf '%s\\n' \"${COMPREPLY[@]}\"",
                script.toString(),
                launcher.toString()));
        command.addAll(List.of(typed.split(" ", -1)));
        Process completing =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(completing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Arrays.stream(out.split("\n", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
