package io.sluice.analyzer.cli;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Builds a command with those of its subcommands that the next argument can reach. */
final class CommandTree {
    private CommandTree() {}

    /**
     * Returns the command with one subcommand if the argument names one, else with all of them.
     *
     * @param command an object with picocli's annotations
     * @param argument the one after the command; empty when there is none
     */
    static CommandLine of(Object command, String argument) {
        CommandLine line = new CommandLine(command);
        if (command instanceof CommandGroup group) {
            List<AnnotatedElement> all = new ArrayList<>(group.classes());
            all.addAll(CommandLine.getCommandMethods(command.getClass(), null));
            boolean one = all.stream().anyMatch(each -> name(each).equals(argument));
            for (AnnotatedElement each : all) {
                if (!one || name(each).equals(argument)) {
                    line.addSubcommand(name(each), new CommandLine(each));
                }
            }
        }
        return line;
    }

    private static String name(AnnotatedElement command) {
        String name = command.getAnnotation(Command.class).name();
        return command instanceof java.lang.reflect.Method method && name.equals("<main class>")
                ? method.getName()
                : name;
    }
}
