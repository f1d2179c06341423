package io.sluice.analyzer.cli;

import io.sluice.analyzer.run.CannotStart;
import io.sluice.contract.json.PrintableText;
import io.sluice.kafka.embedded.KafkaStartException;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;

/**
 * Prints why a command failed, in one line for each problem. A class and not a lambda: a lambda links picocli's interface while a class
 * data archive is made, and the JVM leaves linked classes of picocli's old format out of it.
 */
final class Failures implements CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        command.getErr().println(PrintableText.lines(reason(failure)));
        boolean usage = failure instanceof WrongUsage || (failure instanceof InvalidSettings wrong && wrong.ofOption());
        if (usage) {
            command.getErr().println(UsageErrors.help(command));
        }
        command.getErr().flush();
        return usage ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
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
