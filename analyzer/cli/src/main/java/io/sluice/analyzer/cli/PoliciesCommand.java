package io.sluice.analyzer.cli;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.decision.PolicySetChange;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.pseudonym.PseudonymousPolicies;
import io.sluice.contract.topic.TimeLimit;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.PolicyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks policy files, shows what they would change, applies a new set, lists the one in force. */
@Command(
        name = "policies",
        description = "Check, compare, apply and list policies.",
        footer = {
            "",
            "Examples:",
            "  ./sluice policies check policies.yml",
            "  ./sluice policies apply policies.yml",
            "  ./sluice policies list"
        },
        addMethodSubcommands = false,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class PoliciesCommand implements CommandGroup {
    private static final Duration ADOPTION = TimeLimit.of(Duration.ofSeconds(5));

    @Spec
    CommandSpec spec;

    @Command(
            description = "Report all problems of a policy file; needs no Kafka.",
            footer = {"", "Examples:", "  ./sluice policies check policies.yml"},
            mixinStandardHelpOptions = true)
    int check(
            @Parameters(paramLabel = "FILE", description = "A policy file, YAML or JSON.") Path file,
            @Mixin Connection connection)
            throws InvalidSettings, Refused {
        PolicySet set = read(file, connection);
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                file + ": " + Plural.of(set.policies().size(), "policy", "policies") + ", revision " + set.revision());
        PoliciesText.heldBack(set, out);
        StrategiesText.print(set, out);
        out.flush();
        return 0;
    }

    @Command(
            description = "Publish a policy set; the analyzer validates it and puts it in force.",
            footer = {
                "",
                "Examples:",
                "  ./sluice policies apply policies.yml",
                "  ./sluice policies apply policies.yml --reason \"more room for imports\" --bootstrap kafka:9092"
            },
            mixinStandardHelpOptions = true)
    int apply(
            @Parameters(paramLabel = "FILE", description = "A policy file, YAML or JSON.") Path file,
            @Option(
                            names = "--reason",
                            paramLabel = "TEXT",
                            description = "Why; kept in the history. Default: the name of the file.")
                    @Nullable
                    String reason,
            @Mixin Connection connection)
            throws InvalidSettings, Refused, InterruptedException {
        if (reason != null) {
            OperatorLimits.checkReason(spec, reason);
        }
        PolicySet set = read(file, connection);
        PolicySet before = new PoliciesInForce(connection).read();
        String unrecorded = connection.write(
                set,
                new PolicySetChange(
                        set.revision(),
                        before == null ? "" : before.revision(),
                        Author.name(),
                        reason == null ? String.valueOf(file.getFileName()) : reason,
                        System.currentTimeMillis()));
        LocksCommand.unrecorded(unrecorded, spec);
        boolean adopted = new PoliciesInForce(connection).await(set.revision(), ADOPTION.toMillis());
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                adopted
                        ? "revision " + set.revision() + " is in force"
                        : "revision " + set.revision() + " is asked for; no analyzer has taken it up yet");
        out.flush();
        return 0;
    }

    @Command(
            description = "Show what would change if this set were applied, policy by policy.",
            footer = {
                "",
                "Examples:",
                "  ./sluice policies diff policies.yml",
                "  ./sluice policies diff policies.yml --json"
            },
            mixinStandardHelpOptions = true)
    int diff(
            @Parameters(paramLabel = "FILE", description = "A policy file, YAML or JSON.") Path file,
            @Option(names = "--json", description = "One JSON object.") boolean json,
            @Mixin Connection connection)
            throws InvalidSettings, Refused, InterruptedException {
        PolicySet wanted = read(file, connection);
        PolicySet inForce = inForce(connection);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(PolicyChangesText.json(inForce, wanted));
        } else {
            PolicyChangesText.print(file.toString(), inForce, wanted, out);
        }
        out.flush();
        return 0;
    }

    @Command(
            description = "Show the policies in force, and how much they rejected.",
            footer = {
                "",
                "Examples:",
                "  ./sluice policies list",
                "  ./sluice policies list --watch",
                "  ./sluice policies list --json > in-force.json"
            },
            mixinStandardHelpOptions = true)
    int list(
            @Option(names = "--json", description = "The whole set, as it stands on the topic, and what it rejected.")
                    boolean json,
            @Mixin WatchOptions watch,
            @Mixin Connection connection)
            throws Exception {
        watch.check();
        watch.draw(spec.commandLine().getOut(), out -> draw(connection, json, out));
        return 0;
    }

    private static void draw(Connection connection, boolean json, PrintWriter out)
            throws InvalidSettings, Refused, InterruptedException {
        PolicySet set = inForce(connection);
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        TopicEnd.read(
                connection,
                List.of(connection.topics().agents(), connection.topics().operator()),
                fleet::record);
        long now = BrokerTime.now(connection, fleet);
        List<KillSwitches.Off> offs = fleet.switchedOff(now);
        if (json) {
            out.println(PoliciesText.json(set, fleet.agents(), offs));
        } else {
            PoliciesText.table(set, fleet.agents(), offs, now, out);
        }
    }

    private static PolicySet inForce(Connection connection) throws InvalidSettings, Refused, InterruptedException {
        PolicySet set = new PoliciesInForce(connection).read();
        if (set == null) {
            throw new Refused("no policies are in force; './sluice policies apply FILE' asks for some");
        }
        return set;
    }

    /** Reads a file as agents see it, with pseudonyms if there are keys. */
    static PolicySet read(Path file, Connection connection) throws InvalidSettings, Refused {
        try {
            return PseudonymousPolicies.of(
                    read(file), connection.settings().agent().pseudonyms());
        } catch (InvalidPolicies e) {
            throw new Refused(file + ": " + e.getMessage());
        }
    }

    static PolicySet read(Path file) throws Refused {
        try {
            return PolicyFile.read(file);
        } catch (InvalidPolicies | MalformedRecord | IOException e) {
            throw new Refused(String.valueOf(e.getMessage()));
        }
    }
}
