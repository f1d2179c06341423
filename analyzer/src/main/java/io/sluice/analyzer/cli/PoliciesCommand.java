package io.sluice.analyzer.cli;

import io.sluice.analyzer.run.PolicyFile;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks policy files, asks for a new set, shows the one in force. */
@Command(name = "policies", description = "Check, apply and list policies.", mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class PoliciesCommand {
    private static final long ADOPTION_MILLIS = 5_000;

    @Spec
    CommandSpec spec;

    @Command(description = "Say all that is wrong in a policy file; needs no Kafka.", mixinStandardHelpOptions = true)
    int check(@Parameters(paramLabel = "FILE") Path file) throws Refused {
        PolicySet set = read(file);
        PrintWriter out = spec.commandLine().getOut();
        out.println(file + ": " + set.policies().size() + " policies, revision " + set.revision());
        out.flush();
        return 0;
    }

    @Command(description = "Ask for this set; the analyzer validates and follows it.", mixinStandardHelpOptions = true)
    int apply(@Parameters(paramLabel = "FILE") Path file, @Mixin Connection connection)
            throws InvalidSettings, Refused, InterruptedException {
        PolicySet set = read(file);
        connection.write(
                connection.topics().policies(),
                PolicySetJson.DESIRED.getBytes(StandardCharsets.UTF_8),
                PolicySetJson.writeDesired(set));
        boolean adopted = new PoliciesInForce(connection).await(set.revision(), ADOPTION_MILLIS);
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                adopted
                        ? "revision " + set.revision() + " is in force"
                        : "revision " + set.revision() + " is asked for; no analyzer has taken it up yet");
        out.flush();
        return 0;
    }

    @Command(description = "Show the policies in force.", mixinStandardHelpOptions = true)
    int list(
            @Option(names = "--json", description = "The whole set, as it stands on the topic.") boolean json,
            @Mixin Connection connection)
            throws InvalidSettings, Refused, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PolicySet set = new PoliciesInForce(connection).read();
        if (set == null) {
            throw new Refused("no policies are in force; './sluice policies apply FILE' asks for some");
        }
        if (json) {
            out.println(new String(PolicySetJson.writeActive(set), StandardCharsets.UTF_8));
        } else {
            Table table = new Table(List.of("POLICY", "PER", "MEASURE", "WINDOW", "LOCK", "LIMIT"));
            set.policies().forEach(policy -> table.row(row(policy)));
            table.print(out);
            out.println("revision " + set.revision()
                    + (set.enforce() ? "" : ", enforce: false — every policy only reports"));
        }
        out.flush();
        return 0;
    }

    private static List<String> row(Policy policy) {
        return List.of(
                policy.name(),
                policy.per().toString(),
                policy.measure().name(),
                policy.lock() == null ? "" : Spans.text(policy.window().millis()),
                policy.lock() == null ? "" : lock(policy),
                policy.limit() == null ? "" : limit(policy));
    }

    private static String lock(Policy policy) {
        var lock = java.util.Objects.requireNonNull(policy.lock());
        return lock.mode().name().toLowerCase(java.util.Locale.ROOT)
                + (lock.shadow() ? " (shadow)" : "")
                + " for " + Spans.text(lock.forMillis());
    }

    private static String limit(Policy policy) {
        var limit = java.util.Objects.requireNonNull(policy.limit());
        return Spans.number(limit.permits()) + "/" + Spans.text(limit.perMillis()) + ", burst " + limit.burst()
                + (limit.shadow() ? " (shadow)" : "");
    }

    private static PolicySet read(Path file) throws Refused {
        try {
            return PolicyFile.read(file);
        } catch (InvalidPolicies | MalformedRecord e) {
            throw new Refused(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            @Nullable String why = e.getMessage();
            throw new Refused(
                    file + ": can't be read" + (why == null || why.equals(file.toString()) ? "" : ": " + why));
        }
    }
}
