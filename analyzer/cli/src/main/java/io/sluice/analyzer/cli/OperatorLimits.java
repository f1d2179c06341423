package io.sluice.analyzer.cli;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** How much an operator may ask for on the command line. */
final class OperatorLimits {
    private OperatorLimits() {}

    /**
     * @param millis 0 for until it is changed
     * @throws CommandLine.ParameterException naming what is too short, too long or empty, and what is allowed
     */
    static void check(CommandSpec spec, long millis, String reason) {
        if (millis > 0 && millis < OperatorRecord.SHORTEST_MILLIS) {
            throw refused(
                    spec,
                    "--for: found " + Spans.text(millis) + ", at least " + Spans.text(OperatorRecord.SHORTEST_MILLIS)
                            + " is allowed; less could be over before agents have read it");
        }
        if (millis > OperatorRecord.LONGEST_MILLIS) {
            throw new CommandLine.ParameterException(
                    called(spec.commandLine()),
                    "--for: found " + Spans.text(millis) + ", at most " + Spans.text(OperatorRecord.LONGEST_MILLIS)
                            + " is allowed; what is to last longer belongs into a policy");
        }
        checkReason(spec, reason);
    }

    /** @throws CommandLine.ParameterException for a reason that is empty or too long for the decision log */
    static void checkReason(CommandSpec spec, String reason) {
        if (reason.isBlank()) {
            throw new CommandLine.ParameterException(
                    called(spec.commandLine()),
                    "--reason: found nothing, allowed are 1 to " + OperatorRecord.LONGEST_REASON + " characters");
        }
        if (reason.length() > OperatorRecord.LONGEST_REASON) {
            throw new CommandLine.ParameterException(
                    called(spec.commandLine()),
                    "--reason: found " + reason.length() + " characters, at most " + OperatorRecord.LONGEST_REASON
                            + " are allowed");
        }
    }

    /** @throws CommandLine.ParameterException for a mode that operators can't choose, or a rate that does not fit the mode */
    static Mode mode(CommandSpec spec, String text, @Nullable Double rate) {
        Mode mode = switch (text) {
            case "block" -> Mode.BLOCK;
            case "throttle" -> Mode.THROTTLE;
            case "shadow" -> Mode.SHADOW;
            default -> throw refused(spec, "--mode: found " + text + ", allowed is block, throttle or shadow");
        };
        if (mode != Mode.THROTTLE && rate != null) {
            throw refused(spec, "--rate: found " + rate + ", only --mode throttle takes a rate");
        }
        if (mode == Mode.THROTTLE && rate == null) {
            throw refused(spec, "--rate: missing; --mode throttle needs a rate of more than 0");
        }
        return mode;
    }

    /** Returns an error of the subcommand that was called. */
    static CommandLine.ParameterException refused(CommandSpec spec, String message) {
        return new CommandLine.ParameterException(called(spec.commandLine()), message);
    }

    /** @throws CommandLine.ParameterException for an ID that no agent has: none, such as an empty variable of a shell, or too long a one */
    static void checkAgent(CommandSpec spec, @Nullable String agent) {
        if (agent != null && agent.isBlank()) {
            throw new CommandLine.ParameterException(
                    called(spec.commandLine()),
                    "--agent: found nothing, the ID of an agent is needed; leave the option out for all agents");
        }
        if (agent != null && agent.length() > AgentHeartbeat.LONGEST_NAME) {
            throw refused(
                    spec,
                    "--agent: found " + agent.length() + " characters, at most " + AgentHeartbeat.LONGEST_NAME
                            + " are allowed");
        }
    }

    /** The subcommand that was called: its help describes the option. */
    private static CommandLine called(CommandLine group) {
        CommandLine.ParseResult parsed = group.getParseResult();
        return parsed == null || !parsed.hasSubcommand()
                ? group
                : parsed.subcommand().commandSpec().commandLine();
    }
}
