package io.sluice.analyzer.cli;

import io.sluice.analyzer.run.CannotStart;
import io.sluice.contract.json.PrintableText;
import io.sluice.kafka.embedded.KafkaStartException;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Everything {@code ./sluice} can do. Exit code 0: done; 1: failed, with the reason in one line a problem; 2: wrong usage.
 */
@Command(
        name = "sluice",
        description = "Finds the callers that crowd the others out, and closes their gate.",
        mixinStandardHelpOptions = true,
        versionProvider = SluiceVersion.class,
        synopsisSubcommandLabel = "COMMAND")
public final class SluiceCommand {

    /** The command line with the commands of this module, to which more can be added. */
    public static CommandLine commandLine() {
        return commandLine(List.of(new AnalyzerCommands()));
    }

    /**
     * The command line for one set of arguments. Subcommands that cannot be reached with these arguments are left out; help, error
     * messages and completion are the same as with all of them.
     *
     * @param more commands of another module, after this module's own
     * @param arguments what it will be executed with
     */
    public static CommandLine commandLine(CommandSource more, String... arguments) {
        return commandLine(List.of(new AnalyzerCommands(), more), arguments);
    }

    private static CommandLine commandLine(List<CommandSource> sources, String... arguments) {
        CommandLine root = new CommandLine(new SluiceCommand())
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(PrintableText.lines(reason(failure)));
                    command.getErr().flush();
                    return CommandLine.ExitCode.SOFTWARE;
                });
        String first = arguments.length == 0 ? "" : arguments[0];
        if (first.equals("--version")) {
            return root;
        }
        // these two print all commands
        boolean one = !first.equals(AnalyzerCommands.COMPLETION)
                && !first.equals(AnalyzerCommands.HELP)
                && sources.stream().anyMatch(source -> source.names().contains(first));
        for (CommandSource source : sources) {
            for (String name : source.names()) {
                if (!one || name.equals(first)) {
                    root.addSubcommand(name, source.create(name));
                }
            }
        }
        return root;
    }

    private static String reason(Exception failure) {
        if (forPeople(failure) && failure.getMessage() != null) {
            return failure.getMessage();
        }
        Throwable cause =
                failure instanceof KafkaException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    /** Returns whether the message is enough; for other exceptions their type is printed too. */
    private static boolean forPeople(Exception failure) {
        return failure instanceof InvalidSettings
                || failure instanceof Refused
                || failure instanceof CannotStart
                || failure instanceof KafkaStartException
                || failure.getClass() == IOException.class;
    }
}
