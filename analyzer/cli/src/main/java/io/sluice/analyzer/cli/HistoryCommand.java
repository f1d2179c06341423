package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.output.Table;
import io.sluice.analyzer.output.Terminal;
import io.sluice.contract.json.Nearest;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.InvalidSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the history of gates. */
@Command(
        name = "history",
        description =
                "What happened to gates, oldest first: locked, guarded, armed, changed, released, expired, with the author.",
        footer = {
            "",
            "Examples:",
            "  ./sluice locks history",
            "  ./sluice locks history noisy-neighbour --since 2h",
            "  ./sluice locks history noisy-neighbour acme --json"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class HistoryCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(
            paramLabel = "POLICY",
            arity = "0..1",
            completionCandidates = Candidates.Policies.class,
            description = "Only this policy's locks. Default: all locks, the kill switch and policy sets.")
    @Nullable
    String policy;

    @Parameters(
            index = "1..*",
            paramLabel = "VALUE",
            description = "The subject, or the first of its values.",
            completionCandidates = Candidates.Subjects.class,
            arity = "0..*")
    @Nullable
    List<String> subject;

    @Option(
            names = "--since",
            paramLabel = "DURATION",
            description = "How far to look back. Default: 1h.",
            converter = Spans.class,
            defaultValue = "1h")
    long millis;

    @Option(
            names = "--json",
            description = "One JSON object per line; the last one holds the time since which nothing is missing.")
    boolean json;

    @Mixin
    Connection connection;

    @Override
    public Integer call() throws InvalidSettings, Refused, InterruptedException {
        if (policy != null && policy.isBlank()) {
            throw new WrongUsage(
                    "POLICY: found nothing, such as from an empty variable of a shell; leave it out for all");
        }
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        TopicEnd.read(connection, LocksCommand.topics(connection), fleet::record);
        long now = BrokerTime.now(connection, fleet);
        List<List<String>> values = values();
        DecisionLog.Found found = Decisions.read(
                connection, null, key -> values.stream().anyMatch(one -> concerns(key, one)), now - millis);
        List<GateEvent> events = new DecisionHistory(found.entries()).events(now, fleet);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            events.forEach(event -> out.println(event.json()));
            out.println(JsonLine.of(to -> {
                to.writeStringField("what", "whole");
                to.writeNumberField("since", found.wholeSince());
            }));
        } else {
            table(events, found, unknownPolicy(fleet), out);
        }
        out.flush();
        return 0;
    }

    /** Spelt as the policy in force spells them; as typed where it is no longer in force, for history goes further back. */
    private List<List<String>> values() throws InvalidSettings, Refused, InterruptedException {
        List<String> typed = subject == null ? List.of() : subject;
        PolicySet set = typed.isEmpty() ? null : new PoliciesInForce(connection).read();
        if (set == null) {
            return List.of(typed);
        }
        for (Policy each : set.policies()) {
            if (each.name().equals(policy) && each.per().size() >= typed.size()) {
                return Targets.subjects(connection, each.per(), typed);
            }
        }
        return List.of(typed);
    }

    private boolean concerns(List<String> key, List<String> values) {
        return policy == null
                || (key.get(0).equals(policy)
                        && key.size() > values.size()
                        && key.subList(1, 1 + values.size()).equals(values));
    }

    /** Returns the end of the answer about a policy that is not in force: it may have been, or the name is mistyped. */
    private String unknownPolicy(FleetState fleet) {
        PolicySet set = fleet.policies();
        List<String> names = set == null
                ? List.of()
                : set.policies().stream().map(Policy::name).toList();
        if (policy == null || names.contains(policy)) {
            return "";
        }
        String nearest = Nearest.to(policy, names);
        return PrintableText.of(
                "; no policy " + policy + " is in force" + (nearest == null ? "" : ", did you mean " + nearest + "?"));
    }

    private void table(List<GateEvent> events, DecisionLog.Found found, String unknownPolicy, PrintWriter out) {
        if (events.isEmpty()) {
            out.println("nothing happened in the last " + Spans.text(millis) + unknownPolicy);
        } else {
            Table table = new Table(List.of("TIME", "WHAT", "POLICY", "SUBJECT", "BY", "MORE"));
            for (GateEvent event : events) {
                table.row(
                        ink(event.what()),
                        List.of(
                                Spans.time(event.at()),
                                event.what().spelling(),
                                event.policy(),
                                String.join(" ", event.subject()),
                                event.by(),
                                event.more()));
            }
            table.print(out, Terminal.here());
        }
        if (found.truncated()) {
            out.println("there are more: these are the newest " + Spans.grouped(Decisions.MOST));
        }
        if (found.wholeSince() > 0) {
            out.println("the decision log reaches back to " + Spans.time(found.wholeSince())
                    + "; topics.history sets how long it is kept");
        }
    }

    private static Terminal.Ink ink(GateEvent.What what) {
        return switch (what) {
            case LOCKED, ARMED -> Terminal.Ink.BAD;
            case SWITCHED, GUARDED, APPLIED -> Terminal.Ink.WARNING;
            case CHANGED -> Terminal.Ink.FAINT;
            case RELEASED, EXPIRED -> Terminal.Ink.GOOD;
        };
    }
}
