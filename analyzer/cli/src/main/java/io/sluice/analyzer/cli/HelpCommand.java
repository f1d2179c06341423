package io.sluice.analyzer.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the usage of a command. */
@Command(
        name = "help",
        description = "Show how a command is used.",
        footer = {"", "Examples:", "  ./sluice help locks add"},
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class HelpCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "COMMAND", description = "Such as locks add. Default: the list of all.", arity = "0..*")
    @Nullable
    List<String> words;

    @Override
    public Integer call() {
        CommandLine command = spec.root().commandLine();
        for (String word : words == null ? List.<String>of() : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw new CommandLine.UnmatchedArgumentException(command, List.of(word));
            }
            command = next;
        }
        command.usage(spec.commandLine().getOut());
        return 0;
    }
}
