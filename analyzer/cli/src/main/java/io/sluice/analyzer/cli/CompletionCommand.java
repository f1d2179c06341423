package io.sluice.analyzer.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands and options. */
@Command(
        name = "completion",
        description = {
            "Print a completion script for bash and zsh.",
            "Try it: source <(./sluice completion); keep it: put that line into ~/.bashrc or ~/.zshrc."
        },
        footer = {"", "Examples:", "  ./sluice completion > ~/.sluice-completion"},
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class CompletionCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("sluice", spec.root().commandLine())
                .replace("\"" + Candidates.POLICIES + "\"", ask("policies"))
                .replace("\"" + Candidates.SUBJECTS + "\"", ask("subjects")));
        out.flush();
        return 0;
    }

    /** Asks the command that is being completed, wherever it lies. */
    private static String ask(String what) {
        return "$(\"${COMP_WORDS[0]}\" candidates " + what + " 2>/dev/null)";
    }
}
