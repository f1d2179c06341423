package io.sluice.settings;

import java.util.List;

/** Settings that can't be used. The message holds all problems, a line each: place, key, what was found, what is allowed. */
public final class InvalidSettings extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    public InvalidSettings(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns whether an option of the command line is among them, such as {@code --bootstrap}. */
    public boolean ofOption() {
        return problems.stream().anyMatch(problem -> problem.startsWith("--"));
    }

    /** All problems, in the order of the file. */
    public List<String> problems() {
        return problems;
    }
}
