package io.sluice.analyzer.cli;

import io.sluice.contract.json.Nearest;
import io.sluice.contract.json.PrintableText;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers wrong usage with what is wrong, the nearest word, and where the usage is; with exit code 2. */
final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        boolean noSubcommand = !command.getSubcommands().isEmpty()
                && !(failure instanceof UnmatchedArgumentException)
                && command.getCommandSpec().userObject() != null
                && String.valueOf(failure.getMessage()).startsWith("Missing required subcommand");
        if (noSubcommand) {
            command.usage(err);
        } else {
            err.println(PrintableText.of(message(failure, command)));
            err.println(help(command));
        }
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    /** What was typed, for messages: {@code found 5x}. */
    static String found(String typed) {
        return "found " + (typed.isBlank() ? "nothing" : typed);
    }

    /** Where the usage of a command is. */
    static String help(CommandLine command) {
        return "See './" + command.getCommandSpec().qualifiedName() + " --help'";
    }

    private static String message(ParameterException failure, CommandLine command) {
        ArgSpec argument = failure.getArgSpec();
        if (argument != null && failure.getCause() instanceof TypeConversionException wrong) {
            String name = argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
            return name + ": " + wrong.getMessage();
        }
        if (!(failure instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return String.valueOf(failure.getMessage());
        }
        String found = unmatched.getUnmatched().get(0);
        if (found.startsWith("-")) {
            String option = found.contains("=") ? found.substring(0, found.indexOf('=')) : found;
            return "unknown option " + option
                    + meant(option, command.getCommandSpec().optionsMap().keySet(), "");
        }
        Collection<String> commands = command.getSubcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
        return commands.isEmpty()
                ? "unexpected argument " + found
                : "unknown command " + found + meant(found, commands, "; there are " + String.join(", ", commands));
    }

    private static String meant(String found, Collection<String> words, String otherwise) {
        @Nullable String nearest = Nearest.to(found, List.copyOf(words));
        return nearest == null ? otherwise : "; did you mean " + nearest + "?";
    }
}
