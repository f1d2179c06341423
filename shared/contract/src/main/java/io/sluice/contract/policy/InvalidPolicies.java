package io.sluice.contract.policy;

import java.util.List;
import java.util.stream.Collectors;

/** A policy document that can't be used, with all that is wrong in it. */
public final class InvalidPolicies extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    /** Takes at least one problem. */
    public InvalidPolicies(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")), null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** At least one, in the order of the document. */
    public List<Problem> problems() {
        return problems;
    }
}
