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
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers wrong usage with what is wrong, the nearest word, and where the usage is; with exit code 2. */
final class UsageErrors implements IParameterExceptionHandler {
    /** picocli names the Java type instead. */
    private static final Map<Class<?>, String> NUMBERS =
            Map.of(int.class, "a whole number up to " + Integer.MAX_VALUE, Double.class, "a number");

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
            err.println("See './" + command.getCommandSpec().qualifiedName() + " --help'");
        }
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static String message(ParameterException failure, CommandLine command) {
        ArgSpec argument = failure.getArgSpec();
        if (argument instanceof OptionSpec option && failure.getValue() != null) {
            String allowed = NUMBERS.get(argument.type());
            if (allowed != null) {
                return option.longestName() + ": found " + failure.getValue() + ", allowed is " + allowed;
            }
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
