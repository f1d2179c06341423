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
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class CompletionCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("sluice", spec.root().commandLine()));
        out.flush();
        return 0;
    }
}
