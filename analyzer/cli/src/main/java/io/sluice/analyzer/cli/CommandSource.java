package io.sluice.analyzer.cli;

import java.util.List;

/** Subcommands that are created only when they are needed: reading a command's annotations is a large part of a short command's time. */
public interface CommandSource {

    /** The names of the subcommands, in the order of the help. */
    List<String> names();

    /**
     * Creates a subcommand.
     *
     * @param name one of {@link #names}
     * @return an object with picocli's annotations, whose own name is {@code name}
     */
    Object create(String name);
}
