package io.sluice.analyzer.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Everything {@code ./sluice} can do. Exit code 0: done; 1: failed, with the reason in one line a problem; 2: wrong usage.
 */
@Command(
        name = "sluice",
        description = "Finds callers that overload services shared with others, and locks them.",
        mixinStandardHelpOptions = true,
        versionProvider = SluiceVersion.class,
        synopsisSubcommandLabel = "COMMAND")
public final class SluiceCommand {

    /**
     * The command line with the commands of this module, to which more can be added.
     *
     * @param arguments what it will be executed with, as in {@link #commandLine(CommandSource, String...)}; none for all commands
     */
    public static CommandLine commandLine(String... arguments) {
        return commandLine(List.of(new AnalyzerCommands()), arguments);
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
                // a caller's name may begin with @, and is not to be replaced by the content of a file
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new Failures());
        String first = arguments.length == 0 ? "" : arguments[0];
        String second = arguments.length < 2 ? "" : arguments[1];
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
                    root.addSubcommand(name, CommandTree.of(source.create(name), one ? second : ""));
                }
            }
        }
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(root.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, SluiceCommand::examples);
        return root.setHelpSectionMap(sections);
    }

    /** Unlike picocli's own footer not wrapped, so that examples can be copied. */
    private static String examples(CommandLine.Help help) {
        return Stream.of(help.commandSpec().usageMessage().footer())
                .map(line -> line + System.lineSeparator())
                .collect(Collectors.joining());
    }
}
