package io.sluice.analyzer.cli;

import io.sluice.contract.json.PrintableText;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.settings.InvalidSettings;
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
    int off(@Mixin Words words, @Mixin Connection connection) throws InvalidSettings, Refused {
        return say(false, words, connection);
    }

    @Command(
            description = "Reject again.",
            footer = {"", "Examples:", "  ./sluice enforce on --reason \"sure now\""},
            mixinStandardHelpOptions = true)
    int on(@Mixin Words words, @Mixin Connection connection) throws InvalidSettings, Refused {
        return say(true, words, connection);
    }

    private int say(boolean enforce, Words words, Connection connection) throws InvalidSettings, Refused {
        OperatorLimits.check(spec, words.millis, words.reason);
        OperatorRecord record = new OperatorRecord.Enforce(
                words.agent, enforce, words.millis, Author.name(), words.reason, System.currentTimeMillis());
        LocksCommand.unrecorded(connection.write(record), spec);
        spec.commandLine()
                .getOut()
                .println("enforcement is " + (enforce ? "on" : "off")
                        + (words.agent == null ? " everywhere" : " for agent " + PrintableText.of(words.agent))
                        + (words.millis == 0 ? "" : " for " + Spans.text(words.millis)));
        spec.commandLine().getOut().flush();
        return 0;
    }

    /** The options of both. */
    static final class Words {
        @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; kept in the history.")
        String reason = "";

        @Option(
                names = "--for",
                paramLabel = "DURATION",
                description = "How long, at most 365d. Default: until it is changed, at most 365d.",
                converter = Spans.class)
        long millis;

        @Option(names = "--agent", paramLabel = "ID", description = "Only this agent.")
        @Nullable
        String agent;
    }
}
