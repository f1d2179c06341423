package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Target;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.output.ProgressLine;
import io.sluice.analyzer.recount.NotRecountable;
import io.sluice.analyzer.recount.Recount;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.settings.InvalidSettings;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains a subject's lock, and counts again what it was opened for. */
@Command(
        name = "why",
        description =
                "Why a subject is locked, what would release it, and whether the request log confirms the evidence."
                        + " Exit code 1 when it is not locked.",
        footer = {
            "",
            "Examples:",
            "  ./sluice locks why noisy-neighbour acme",
            "  ./sluice locks why noisy-neighbour acme --json"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class WhyCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(
            paramLabel = "POLICY",
            description = "A policy in force.",
            completionCandidates = Candidates.Policies.class)
    String policy;

    @Parameters(
            index = "1..*",
            paramLabel = "VALUE",
            description = "The subject: a value for each attribute of the policy's per.",
            completionCandidates = Candidates.Subjects.class,
            arity = "0..*")
    @Nullable
    List<String> subject;

    @Option(names = "--json", description = "A JSON object.")
    boolean json;

    @Mixin
    Connection connection;

    @Override
    public Integer call() throws InvalidSettings, Refused, InterruptedException {
        Map<Target, GateHistory> histories = new LinkedHashMap<>();
        for (Target each : Targets.of(connection, policy, subject)) {
            histories.put(each, new GateHistory(connection, each));
        }
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        TopicEnd.read(connection, LocksCommand.topics(connection), record -> {
            fleet.record(record);
            histories.values().forEach(history -> history.accept(record));
        });
        long now = BrokerTime.now(connection, fleet);
        Map.Entry<Target, GateHistory> shown = histories.entrySet().stream()
                .filter(each -> each.getValue().locked(now))
                .findFirst()
                .orElseGet(() -> histories.entrySet().iterator().next());
        Target target = shown.getKey();
        GateHistory history = shown.getValue();
        Explanation explanation = Explanation.of(
                target, history, now, recounted(target, history, now), past(target, history, fleet, now));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(WhyJson.of(explanation));
        } else {
            LockText.warnings(fleet, now).forEach(warning -> out.println("! " + warning));
            WhyText.print(explanation, out);
        }
        out.flush();
        return explanation.locked() ? 0 : 1;
    }

    /** Prints the decision log of a subject that is not locked now. */
    private List<GateEvent> past(Target target, GateHistory history, FleetState fleet, long now)
            throws InvalidSettings, Refused {
        if (history.locked(now)) {
            return List.of();
        }
        List<String> key = GateKeys.key(target.policy().name(), target.subject());
        long since = now - connection.settings().topics().retention().history();
        return new DecisionHistory(
                        Decisions.read(connection, key, key::equals, since).entries())
                .events(now, fleet);
    }

    /** Recounts the analyzer's lock from the request log, if it has evidence. */
    private Explanation.@Nullable Recounted recounted(Target target, GateHistory history, long now)
            throws InvalidSettings, Refused {
        Evidence evidence =
                history.lockAt(now).map(said -> said.record().evidence()).orElse(null);
        if (evidence == null) {
            return null;
        }
        ProgressLine progress =
                new ProgressLine(spec.commandLine().getErr(), StandardError.isTerminal(), System::nanoTime);
        try {
            Recount recount = Recount.of(target.set(), target.policy(), target.subject(), evidence);
            new RequestLogRead(connection, recount, progress).read();
            return new Explanation.Recounted(evidence, recount.verdict(), "");
        } catch (NotRecountable e) {
            return new Explanation.Recounted(evidence, null, String.valueOf(e.getMessage()));
        }
    }
}
