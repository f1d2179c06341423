package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Tree;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints words for the completion script, a line each. What cannot be asked has none: a shell shows no errors while it completes. */
@Command(
        name = "candidates",
        description = "Print words for shell completion.",
        footer = {"", "Examples:", "  ./sluice candidates policies", "  ./sluice candidates subjects"},
        hidden = true,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class CandidatesCommand {
    @Spec
    CommandSpec spec;

    @Command(
            description = "The names of the policies in force.",
            footer = {"", "Examples:", "  ./sluice candidates policies"},
            mixinStandardHelpOptions = true)
    int policies(@Mixin Connection connection) throws Exception {
        @Nullable PolicySet set = new PoliciesInForce(connection).read();
        print(
                set == null
                        ? List.of()
                        : set.policies().stream().map(Policy::name).toList());
        return 0;
    }

    @Command(
            description = "The values of subjects that are locked, and of the busiest ones.",
            footer = {"", "Examples:", "  ./sluice candidates subjects"},
            mixinStandardHelpOptions = true)
    int subjects(@Mixin AnalyzerApi api, @Mixin Connection connection) throws Exception {
        Set<String> values = new TreeSet<>();
        FleetState fleet = new FleetState(connection.topics(), connection.maxLease());
        List<String> topics =
                List.of(connection.topics().gateLocks(), connection.topics().operator());
        new Followed(connection, topics)
                .look(
                        fleet,
                        () -> HeldLock.all(fleet, BrokerTime.now(connection, fleet))
                                .forEach(lock -> values.addAll(lock.subject())));
        try {
            Tree.list(Tree.of(api.get(connection, "callers/top?limit=100")), "callers")
                    .forEach(row -> values.addAll(Tree.texts(row, "subject")));
        } catch (Refused e) {
            // without an analyzer there are still the locks
        }
        print(values);
        return 0;
    }

    private void print(Iterable<String> words) {
        PrintWriter out = spec.commandLine().getOut();
        for (String word : words) {
            if (Candidates.harmless(word)) {
                out.println(word);
            }
        }
        out.flush();
    }
}
