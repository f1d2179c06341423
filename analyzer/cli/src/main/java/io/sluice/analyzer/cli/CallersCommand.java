package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Tree;
import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.output.Terminal;
import io.sluice.contract.event.Addresses;
import io.sluice.contract.json.Nearest;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Policy;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows callers, as the running analyzers count them; any of them answers for all. */
@Command(
        name = "callers",
        description = "Show the busiest callers, or the activity of one caller.",
        footer = {"", "Examples:", "  ./sluice callers top", "  ./sluice callers show acme"},
        addMethodSubcommands = false,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class CallersCommand implements CommandGroup {
    /** As in the API. */
    static final class Limit extends WholeNumber {
        Limit() {
            super(1, 256);
        }
    }

    @Spec
    CommandSpec spec;

    @Command(
            description = {
                "The busiest callers: requests per minute, admitted or not, as a moving average over about the last minute. It falls"
                        + " to half within 42 s of a burst.",
                "Only what a policy that can lock counts is known."
            },
            footer = {
                "",
                "Examples:",
                "  ./sluice callers top",
                "  ./sluice callers top --limit 5 --watch",
                "  ./sluice callers top --policy noisy-neighbour --json"
            },
            mixinStandardHelpOptions = true)
    int top(
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            description = "How many to show, at most 256. Default: ${DEFAULT-VALUE}.",
                            converter = Limit.class,
                            defaultValue = "20")
                    int limit,
            @Option(
                            names = "--policy",
                            paramLabel = "POLICY",
                            completionCandidates = Candidates.Policies.class,
                            description = "Only what this policy counts.")
                    @Nullable
                    String policy,
            @Option(names = "--json", description = "One JSON object per line.") boolean json,
            @Mixin AnalyzerApi api,
            @Mixin WatchOptions watch,
            @Mixin Connection connection)
            throws Exception {
        watch.check();
        checkPolicy(policy);
        String path = "callers/top?limit=" + limit + (policy == null ? "" : "&policy=" + AnalyzerApi.encoded(policy));
        Terminal terminal = Terminal.here();
        PrintWriter out = spec.commandLine().getOut();
        watch.draw(out, to -> {
            byte[] answer = api.get(connection, path);
            if (json) {
                lines(answer, to);
            } else {
                TopText.print(Tree.of(answer), terminal, to);
            }
        });
        return 0;
    }

    private static void checkPolicy(@Nullable String policy) throws WrongUsage {
        if (policy != null && policy.isBlank()) {
            throw new WrongUsage(
                    "--policy: found nothing, allowed is the name of a policy; leave the option out for all");
        }
    }

    private record Claimed(double claimedShare, String remedy) {}

    private static void lines(byte[] answer, PrintWriter out) throws Exception {
        AnalyzerApi.items(answer, "callers", item -> out.println(text(item)));
        Node.Mapping top = Tree.of(answer);
        String warning = TopText.claimedWarning(top);
        if (!warning.isEmpty()) {
            double share = Tree.number(Tree.object(top, "claimed"), "share");
            out.println(RecordJson.line(new Claimed(share, warning)));
        }
        AnalyzerApi.items(answer, "behind", item -> out.println("{\"behind\":" + text(item) + "}"));
        AnalyzerApi.items(answer, "missing", item -> out.println("{\"missing\":" + text(item) + "}"));
    }

    private static String text(byte[] json) {
        return PrintableText.json(new String(json, StandardCharsets.UTF_8));
    }

    @Command(
            description = {
                "What one caller did in the window of each policy that counts it, and what locks it.",
                "An address is looked for in policies that count by ip."
            },
            footer = {
                "",
                "Examples:",
                "  ./sluice callers show acme",
                "  ./sluice callers show acme /orders --policy per-route"
            },
            mixinStandardHelpOptions = true)
    int show(
            @Parameters(
                            paramLabel = "CALLER",
                            completionCandidates = Candidates.Subjects.class,
                            description = "Its name; with --policy, a value for each attribute of the policy's per.",
                            arity = "1..*")
                    List<String> caller,
            @Option(
                            names = "--policy",
                            paramLabel = "POLICY",
                            completionCandidates = Candidates.Policies.class,
                            description = "Only this policy's window.")
                    @Nullable
                    String policy,
            @Option(names = "--json", description = "One JSON object.") boolean json,
            @Mixin AnalyzerApi api,
            @Mixin Connection connection)
            throws Exception {
        checkPolicy(policy);
        PrintWriter out = spec.commandLine().getOut();
        for (List<String> each : subjects(caller, policy, api, connection)) {
            show(each, policy, json, api, connection, out);
        }
        out.flush();
        return 0;
    }

    private static void show(
            List<String> caller,
            @Nullable String policy,
            boolean json,
            AnalyzerApi api,
            Connection connection,
            PrintWriter out)
            throws Exception {
        byte[] answer = api.get(connection, path(caller, policy));
        if (json) {
            out.println(text(answer));
            return;
        }
        Node.Mapping read = Tree.of(answer);
        CallerText.print(answer, CallerText.policies(api.get(connection, "policies")), Terminal.here(), out);
        if (CallerText.silent(read) && policy == null) {
            out.println(PrintableText.of(nearest(api, connection, caller.get(0))));
        }
    }

    /** Returns the typed subject; with pseudonyms, those under each key. A single address may be a caller as well as an address. */
    private static List<List<String>> subjects(
            List<String> typed, @Nullable String policy, AnalyzerApi api, Connection connection) throws Exception {
        if (connection.settings().agent().pseudonyms().keys().isEmpty()) {
            return List.of(typed);
        }
        Set<List<String>> subjects = new LinkedHashSet<>();
        if (policy == null) {
            String single = typed.get(0);
            subjects.addAll(Targets.subjects(connection, List.of(Attribute.parse("caller")), typed.subList(0, 1)));
            if (Addresses.canonical(single) != null) {
                subjects.addAll(Targets.subjects(connection, List.of(Attribute.parse("ip")), typed.subList(0, 1)));
            }
            return typed.size() > 1 ? List.of(typed) : List.copyOf(subjects);
        }
        for (Policy each : CallerText.policies(api.get(connection, "policies"))) {
            if (each.name().equals(policy) && each.per().size() == typed.size()) {
                subjects.addAll(Targets.subjects(connection, each.per(), typed));
            }
        }
        return subjects.isEmpty() ? List.of(typed) : List.copyOf(subjects);
    }

    private static String path(List<String> caller, @Nullable String policy) throws Refused {
        if (policy != null) {
            return "callers?policy=" + AnalyzerApi.encoded(policy)
                    + caller.stream()
                            .map(value -> "&subject=" + AnalyzerApi.encoded(value))
                            .collect(Collectors.joining());
        }
        if (caller.size() > 1) {
            throw new WrongUsage("one CALLER, please; several values are a subject, which needs --policy");
        }
        if (caller.get(0).isEmpty()) {
            throw new WrongUsage("CALLER: found nothing, such as from an empty variable of a shell");
        }
        return "callers?caller=" + AnalyzerApi.encoded(caller.get(0));
    }

    private static String nearest(AnalyzerApi api, Connection connection, String caller) throws Exception {
        List<String> known = Tree.list(Tree.of(api.get(connection, "callers/top?limit=256")), "callers").stream()
                .flatMap(row -> Tree.texts(row, "subject").stream())
                .distinct()
                .toList();
        String network = Targets.network(connection, caller);
        String nearest = network == null ? Nearest.to(caller, known) : network;
        return "nothing of " + caller + " was counted within these windows, or far less than any threshold"
                + (nearest == null || nearest.equals(caller) ? "" : ", did you mean " + nearest + "?");
    }
}
