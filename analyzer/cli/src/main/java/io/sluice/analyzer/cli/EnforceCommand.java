package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.json.Nearest;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.InvalidSettings;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The kill switch: any off wins. */
@Command(
        name = "enforce",
        description = "The kill switch: off lets everything pass, everywhere or at one agent.",
        footer = {
            "",
            "Examples:",
            "  ./sluice enforce off --reason \"not sure yet\" --for 1h",
            "  ./sluice enforce on --reason \"sure now\""
        },
        addMethodSubcommands = false,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class EnforceCommand implements CommandGroup {
    @Spec
    CommandSpec spec;

    @Command(
            description = "Reject nothing, but keep counting.",
            footer = {
                "",
                "Examples:",
                "  ./sluice enforce off --reason \"not sure yet\" --for 1h",
                "  ./sluice enforce off --agent orders-7f9c --reason \"one instance only\""
            },
            mixinStandardHelpOptions = true)
    int off(
            @Mixin Words words,
            @Option(
                            names = "--for",
                            paramLabel = "DURATION",
                            description = "How long, 1s to 365d. Default: until it is changed, at most 365d.",
                            converter = Spans.class)
                    long millis,
            @Mixin Connection connection)
            throws InvalidSettings, Refused {
        return say(false, words, millis, connection);
    }

    @Command(
            description = "Reject again.",
            footer = {"", "Examples:", "  ./sluice enforce on --reason \"sure now\""},
            mixinStandardHelpOptions = true)
    int on(
            @Mixin Words words,
            @Option(names = "--for", paramLabel = "DURATION", hidden = true, description = "Refused.") @Nullable
                    String duration,
            @Mixin Connection connection)
            throws InvalidSettings, Refused {
        if (duration != null) {
            throw OperatorLimits.refused(
                    spec, "--for: only 'enforce off' takes a duration; enforcement stays on until it is switched off");
        }
        return say(true, words, 0, connection);
    }

    private int say(boolean enforce, Words words, long millis, Connection connection) throws InvalidSettings, Refused {
        OperatorLimits.check(spec, millis, words.reason);
        OperatorLimits.checkAgent(spec, words.agent);
        OperatorRecord record = new OperatorRecord.Enforce(
                words.agent, enforce, millis, Author.name(), words.reason, System.currentTimeMillis());
        LocksCommand.unrecorded(connection.write(record), spec);
        FleetState fleet = enforce || words.agent != null ? read(connection, words.agent) : empty(connection);
        PrintWriter out = spec.commandLine().getOut();
        EnforcementText.switched(enforce, words.agent, millis, fleet).forEach(out::println);
        out.flush();
        return 0;
    }

    /** Reads the other switches, the policies and the agents; without them there is a warning, since the switch is in force already. */
    private static FleetState read(Connection connection, @Nullable String agent) throws InvalidSettings {
        FleetState fleet = empty(connection);
        TopicNames topics = connection.topics();
        try {
            TopicEnd.read(connection, List.of(topics.operator(), topics.policies(), topics.agents()), fleet::record);
        } catch (Refused e) {
            connection.warn(PrintableText.of("agents and policies could not be checked: " + e.getMessage()));
            return empty(connection);
        }
        List<String> agents =
                fleet.agents().all().stream().map(beat -> beat.record().agent()).toList();
        if (agent != null && !agents.contains(agent)) {
            String nearest = Nearest.to(agent, agents);
            connection.warn(PrintableText.of("no agent " + agent + " has sent a heartbeat; "
                    + (nearest == null ? "this holds once it starts" : "did you mean " + nearest + "?")));
        }
        return fleet;
    }

    private static FleetState empty(Connection connection) throws InvalidSettings {
        return new FleetState(connection.topics(), connection.maxLease());
    }

    /** The options of both. */
    static final class Words {
        @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; kept in the history.")
        String reason = "";

        @Option(names = "--agent", paramLabel = "ID", description = "Only this agent.")
        @Nullable
        String agent;
    }
}
