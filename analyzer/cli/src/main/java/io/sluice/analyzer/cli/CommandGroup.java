package io.sluice.analyzer.cli;

import java.util.List;

/**
 * A command with subcommands: its methods with {@code @Command}, and {@link #classes}. Its own annotation sets
 * {@code addMethodSubcommands = false}; {@link CommandTree} adds the subcommands that are needed.
 */
interface CommandGroup {
    /** Returns the subcommands that are classes; in the help they come before the methods. */
    default List<Class<?>> classes() {
        return List.of();
    }
}
