package io.sluice.analyzer.cli;

import io.sluice.analyzer.replay.ReplayCommand;
import io.sluice.analyzer.run.CannotStart;
import io.sluice.kafka.embedded.KafkaStartException;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Everything {@code ./sluice} can do. Exit code 0: done; 1: failed, with the reason in one line a problem; 2: wrong usage.
 */
@Command(
        name = "sluice",
        description = "Finds the callers that crowd the others out, and closes their gate.",
        mixinStandardHelpOptions = true,
        version = "sluice 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            AnalyzerCommand.class,
            ReplayCommand.class,
            PoliciesCommand.class,
            LocksCommand.class,
            EnforceCommand.class,
            CallersCommand.class,
            AgentsCommand.class,
            DeadLettersCommand.class,
            ExplainCommand.class,
            DoctorCommand.class,
            TopicsCommand.class,
            CompletionCommand.class,
            HelpCommand.class,
            CandidatesCommand.class
        })
public final class SluiceCommand {

    /** The command line, ready to be given more commands and to be executed. */
    public static CommandLine commandLine() {
        return new CommandLine(new SluiceCommand(), new Commands())
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(reason(failure));
                    command.getErr().flush();
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    /** Makes the commands; a replay doesn't know how topics are read. */
    private static final class Commands implements CommandLine.IFactory {
        private final CommandLine.IFactory byDefault = CommandLine.defaultFactory();

        @Override
        public <K> K create(Class<K> type) throws Exception {
            return type == ReplayCommand.class ? type.cast(new ReplayCommand(new KafkaLogs())) : byDefault.create(type);
        }
    }

    private static String reason(Exception failure) {
        if (forPeople(failure) && failure.getMessage() != null) {
            return failure.getMessage();
        }
        Throwable cause =
                failure instanceof KafkaException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    /** Whether its message says all; elsewhere the kind of the exception is half of what it says. */
    private static boolean forPeople(Exception failure) {
        return failure instanceof InvalidSettings
                || failure instanceof Refused
                || failure instanceof CannotStart
                || failure instanceof KafkaStartException
                || failure.getClass() == IOException.class;
    }
}
