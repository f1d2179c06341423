package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.AgentProcesses;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.output.Table;
import io.sluice.analyzer.output.Terminal;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.json.BoundedJson;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the gate agents, as they speak of themselves. */
@Command(
        name = "agents",
        description = "Show the gate agents.",
        footer = {"", "Examples:", "  ./sluice agents list"},
        addMethodSubcommands = false,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class AgentsCommand implements CommandGroup {
    @Spec
    CommandSpec spec;

    @Command(
            description =
                    "The agents with a heartbeat within the last hour: state, freshness of their locks, and counters"
                            + " since they started. An agent that was silent for 15 seconds counts as dead.",
            footer = {"", "Examples:", "  ./sluice agents list", "  ./sluice agents list --watch"},
            mixinStandardHelpOptions = true)
    int list(
            @Option(names = "--json", description = "One JSON object per line.") boolean json,
            @Mixin WatchOptions watch,
            @Mixin Connection connection)
            throws Exception {
        watch.check();
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        PrintWriter out = spec.commandLine().getOut();
        Terminal terminal = Terminal.here();
        new Followed(connection, List.of(connection.topics().agents())).look(fleet, () -> {
            BrokerTime.now(connection, fleet);
            watch.draw(out, to -> draw(fleet, json, terminal, to));
        });
        return 0;
    }

    private static void draw(FleetState fleet, boolean json, Terminal terminal, PrintWriter out) {
        Agents agents = fleet.agents();
        // a heartbeat may have come by now: its age must not be negative
        long now = Math.max(agents.newest(), fleet.now(System.currentTimeMillis()));
        if (json) {
            agents.all().forEach(heard -> out.println(json(heard, now, agents.processes(heard, now))));
            return;
        }
        if (agents.all().isEmpty()) {
            out.println("no agent sent a heartbeat within the last hour");
            return;
        }
        Table table = new Table(
                List.of("AGENT", "SERVICE", "STATE", "HEARD", "LOCKS", "CHECKS", "REJECTED", "NOT LOGGED", "REASONS"));
        for (Appended<AgentHeartbeat> heard : agents.all()) {
            AgentHeartbeat beat = heard.record();
            table.row(
                    ink(heard, now, agents.processes(heard, now)),
                    List.of(
                            beat.agent(),
                            beat.service(),
                            state(heard, now, agents.processes(heard, now)),
                            Spans.text(now - heard.append()) + " ago",
                            Spans.grouped(beat.locks()),
                            Spans.grouped(beat.checks()),
                            Spans.grouped(beat.rejections()),
                            Spans.grouped(beat.drops()),
                            String.join(", ", beat.reasons())));
        }
        table.print(out, terminal);
        agents.all().stream()
                .flatMap(heard -> heard.record().reasons().stream())
                .distinct()
                .sorted()
                .forEach(code -> out.println(code + ": "
                        + AgentReason.of(code).map(AgentReason::meaning).orElse("a reason of a newer version")));
        out.println("counted since each agent's start; not logged: events that it could not send");
    }

    private static Terminal.Ink ink(Appended<AgentHeartbeat> heard, long now, int processes) {
        if (!Agents.alive(heard, now)) {
            return Terminal.Ink.BAD;
        }
        return heard.record().freshness() == Freshness.FRESH
                        && heard.record().unanswered().isEmpty()
                        && heard.record().reasons().isEmpty()
                        && processes == 1
                ? Terminal.Ink.PLAIN
                : Terminal.Ink.WARNING;
    }

    private static String state(Appended<AgentHeartbeat> heard, long now, int processes) {
        if (!Agents.alive(heard, now)) {
            return "dead";
        }
        AgentHeartbeat beat = heard.record();
        String without = beat.unanswered().isEmpty() ? "" : ", without " + String.join(", ", beat.unanswered());
        String shared = processes > 1 ? ", " + processes(processes) + " with this id" : "";
        return beat.freshness().name().toLowerCase(Locale.ROOT) + without + shared;
    }

    /** Returns their number in words. */
    static String processes(int processes) {
        return processes + (processes == AgentProcesses.MOST ? " or more processes" : " processes");
    }

    private static String json(Appended<AgentHeartbeat> heard, long now, int processes) {
        AgentHeartbeat beat = heard.record();
        return JsonLine.of(to -> {
            to.writeStringField("agent", beat.agent());
            to.writeStringField("service", beat.service());
            to.writeBooleanField("alive", Agents.alive(heard, now));
            to.writeStringField("freshness", beat.freshness().name().toLowerCase(Locale.ROOT));
            to.writeNumberField("heard", heard.append());
            to.writeNumberField("ageMillis", Math.max(0, now - heard.append()));
            to.writeNumberField("locks", beat.locks());
            to.writeNumberField("checks", beat.checks());
            to.writeNumberField("rejections", beat.rejections());
            to.writeNumberField("drops", beat.drops());
            JsonLine.numbers("rejectedByPolicy", beat.rejectedByPolicy(), to);
            JsonLine.numbers("wouldRejectByPolicy", beat.wouldRejectByPolicy(), to);
            if (processes > 1) {
                to.writeNumberField("processes", processes);
            }
            if (!beat.unanswered().isEmpty()) {
                BoundedJson.texts("unanswered", beat.unanswered(), to);
            }
            if (!beat.reasons().isEmpty()) {
                BoundedJson.texts("reasons", beat.reasons(), to);
            }
        });
    }
}
