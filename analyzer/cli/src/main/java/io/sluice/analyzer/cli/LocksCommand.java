package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Target;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.output.Terminal;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.lock.Mode;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows locks, and lets an operator close and open gates; agents obey also while the analyzer is down. */
@Command(
        name = "locks",
        description = "Show locks; close and open gates by hand.",
        footer = {
            "",
            "Examples:",
            "  ./sluice locks list",
            "  ./sluice locks add noisy-neighbour acme --for 30m --reason \"incident 4711\"",
            "  ./sluice locks release noisy-neighbour acme --reason \"talked to them\""
        },
        addMethodSubcommands = false,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class LocksCommand implements CommandGroup {
    @Spec
    CommandSpec spec;

    @Override
    public List<Class<?>> classes() {
        return List.of(WhyCommand.class, HistoryCommand.class);
    }

    @Command(
            description = "What is locked right now, and why.",
            footer = {
                "",
                "Examples:",
                "  ./sluice locks list",
                "  ./sluice locks list --watch",
                "  ./sluice locks list --json"
            },
            mixinStandardHelpOptions = true)
    int list(
            @Option(names = "--json", description = "One JSON object per line.") boolean json,
            @Mixin WatchOptions watch,
            @Mixin Connection connection)
            throws Exception {
        watch.check();
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        PrintWriter out = spec.commandLine().getOut();
        new Followed(connection, topics(connection)).look(fleet, () -> {
            BrokerTime.now(connection, fleet);
            watch.draw(out, to -> draw(fleet, json, to));
        });
        return 0;
    }

    /** The topics that say what is locked. */
    static List<String> topics(Connection connection) throws InvalidSettings {
        TopicNames topics = connection.topics();
        return List.of(topics.gateLocks(), topics.operator(), topics.policies());
    }

    private static void draw(FleetState fleet, boolean json, PrintWriter out) {
        long now = fleet.now(System.currentTimeMillis());
        List<HeldLock> held = HeldLock.all(fleet, now);
        if (json) {
            held.forEach(lock -> out.println(LockText.json(lock, now, fleet.enforcing(now))));
        } else {
            LockText.table(held, LockText.warnings(fleet, now), now, out);
        }
    }

    @Command(
            description =
                    "Locks as they come and go, until Ctrl-C: in place on a terminal, a line for each change elsewhere.",
            footer = {"", "Examples:", "  ./sluice locks watch", "  ./sluice locks watch --for 10m"},
            mixinStandardHelpOptions = true)
    int watch(
            @Option(
                            names = "--for",
                            paramLabel = "DURATION",
                            description = "Stop after this long.",
                            converter = Spans.class,
                            defaultValue = "36500d")
                    long millis,
            @Mixin Connection connection)
            throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        LockChanges changes = new LockChanges();
        Terminal terminal = Terminal.here();
        Followed.Look look = terminal.person()
                ? () -> new Redraw().whole(out, terminal, millis, to -> draw(fleet, false, to))
                : () -> new Redraw().news(out, millis, to -> changes(fleet, changes, to));
        new Followed(connection, topics(connection)).look(fleet, look);
        return 0;
    }

    private static void changes(FleetState fleet, LockChanges changes, PrintWriter out) {
        long now = fleet.now(System.currentTimeMillis());
        changes.tell(HeldLock.all(fleet, now), now, out);
    }

    @Command(
            description = "Close a subject's gate.",
            footer = {
                "",
                "Examples:",
                "  ./sluice locks add noisy-neighbour acme --for 30m --reason \"incident 4711\"",
                "  ./sluice locks add noisy-neighbour acme --mode throttle --rate 5 --reason \"import runs wild\""
            },
            mixinStandardHelpOptions = true)
    int add(
            @Parameters(
                            paramLabel = "POLICY",
                            description = "A policy in force.",
                            completionCandidates = Candidates.Policies.class)
                    String policy,
            @Parameters(
                            paramLabel = "VALUE",
                            description = "The subject: a value for each attribute of the policy's per.",
                            completionCandidates = Candidates.Subjects.class,
                            arity = "0..*")
                    List<String> subject,
            @Option(
                            names = "--mode",
                            paramLabel = "MODE",
                            description = "block, throttle or shadow. Default: block.",
                            completionCandidates = Candidates.Modes.class,
                            defaultValue = "block")
                    String mode,
            @Option(
                            names = "--rate",
                            paramLabel = "N",
                            description = "Requests per second over the whole fleet; required for throttle.",
                            converter = PositiveNumber.class)
                    @Nullable
                    Double rate,
            @Option(
                            names = "--for",
                            paramLabel = "DURATION",
                            description = "How long, 1s to 365d. Default: 1h.",
                            converter = Spans.class,
                            defaultValue = "1h")
                    long millis,
            @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; kept in the history.")
                    String reason,
            @Mixin Connection connection)
            throws InvalidSettings, Refused, InterruptedException {
        OperatorLimits.check(spec, millis, reason);
        Mode parsed = OperatorLimits.mode(spec, mode, rate);
        for (Target target : Targets.toLock(connection, policy, subject)) {
            say(
                    connection,
                    new OperatorRecord.Lock(
                            policy,
                            target.subject(),
                            target.policy().perNames(),
                            parsed,
                            rate == null ? 0 : rate,
                            millis,
                            Author.name(),
                            reason,
                            System.currentTimeMillis()));
            done("locked " + target.text() + " for " + Spans.text(millis));
        }
        return 0;
    }

    @Command(
            description = "Open a subject's gate, and keep the analyzer from locking it again.",
            footer = {
                "",
                "Examples:",
                "  ./sluice locks release noisy-neighbour acme --reason \"talked to them\"",
                "  ./sluice locks release noisy-neighbour acme --for 1h --reason \"migration\""
            },
            mixinStandardHelpOptions = true)
    int release(
            @Parameters(
                            paramLabel = "POLICY",
                            description = "A policy in force.",
                            completionCandidates = Candidates.Policies.class)
                    String policy,
            @Parameters(
                            paramLabel = "VALUE",
                            description = "The subject: a value for each attribute of the policy's per.",
                            completionCandidates = Candidates.Subjects.class,
                            arity = "0..*")
                    List<String> subject,
            @Option(
                            names = "--for",
                            paramLabel = "DURATION",
                            description = "How long it may not be locked again, 1s to 365d. Default: 10m.",
                            converter = Spans.class,
                            defaultValue = "10m")
                    long millis,
            @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; kept in the history.")
                    String reason,
            @Mixin Connection connection)
            throws InvalidSettings, Refused, InterruptedException {
        OperatorLimits.check(spec, millis, reason);
        for (Target target : Targets.of(connection, policy, subject)) {
            boolean locked = locked(connection, target);
            say(
                    connection,
                    new OperatorRecord.Release(
                            policy,
                            target.subject(),
                            target.policy().perNames(),
                            millis,
                            Author.name(),
                            reason,
                            System.currentTimeMillis()));
            done((locked ? "released " + target.text() : target.text() + " was not locked") + "; no new lock for "
                    + Spans.text(millis));
        }
        return 0;
    }

    private static boolean locked(Connection connection, Target target)
            throws InvalidSettings, Refused, InterruptedException {
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        TopicEnd.read(connection, topics(connection), fleet::record);
        return HeldLock.all(fleet, BrokerTime.now(connection, fleet)).stream()
                .anyMatch(lock -> !lock.released()
                        && lock.policy().equals(target.policy().name())
                        && lock.subject().equals(target.subject()));
    }

    private void say(Connection connection, OperatorRecord record) throws InvalidSettings, Refused {
        unrecorded(connection.write(record), spec);
    }

    /** Warns of an action that is in force, and missing from the decision log. */
    static void unrecorded(String why, CommandSpec spec) {
        if (!why.isEmpty()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(PrintableText.of("warning: it is in force, but not in the decision log: " + why));
            err.flush();
        }
    }

    private void done(String message) {
        spec.commandLine().getOut().println(PrintableText.of(message));
        spec.commandLine().getOut().flush();
    }
}
