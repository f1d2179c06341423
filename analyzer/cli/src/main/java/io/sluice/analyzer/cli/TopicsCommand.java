package io.sluice.analyzer.cli;

import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.SourceTopics;
import io.sluice.analyzer.run.StatePartitions;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicDefinition;
import io.sluice.contract.topic.TopicProblem;
import io.sluice.contract.topic.Topics;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclBinding;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates and verifies Sluice's topics. */
@Command(
        name = "topics",
        description = "Create Sluice's topics, or verify them.",
        footer = {"", "Examples:", "  ./sluice topics create", "  ./sluice topics verify"},
        addMethodSubcommands = false,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class TopicsCommand implements CommandGroup {
    @Spec
    CommandSpec spec;

    @Command(
            description = "Create the topics that are missing, leave the others alone.",
            footer = {
                "",
                "Examples:",
                "  ./sluice topics create",
                "  ./sluice topics create --sources",
                "  ./sluice topics create --sources --acls --config admin.yml",
                "  ./sluice topics create --acls --principal agent=User:orders --config admin.yml",
                "  ./sluice topics create --acls --principal publisher@nginx.access=User:shop --config admin.yml"
            },
            mixinStandardHelpOptions = true)
    int create(
            @Option(names = "--sources", description = "Also the topics that sources names in sluice.yml.")
                    boolean sources,
            @Mixin Connection connection,
            @Mixin AclOptions acls)
            throws InvalidSettings, Refused {
        PrintWriter out = spec.commandLine().getOut();
        // what can't be granted is refused before anything is created
        List<AclBinding> rights = acls.wanted() ? acls.bindings(places(connection)) : List.of();
        try (Admin admin = connection.admin()) {
            List<TopicDefinition> definitions = new ArrayList<>(definitions(connection));
            if (sources) {
                definitions.addAll(SourceTopics.definitions(connection.settings()));
            }
            List<String> created = new TopicAdministration(admin).create(definitions);
            for (TopicDefinition definition : definitions) {
                out.println((created.contains(definition.name()) ? "created  " : "exists   ") + definition.name());
            }
            out.flush();
            if (acls.wanted()) {
                new AccessRights(admin).grant(rights, out);
            }
            return wrong(admin, connection) ? 1 : 0;
        } catch (KafkaException e) {
            throw connection.unreachable(e);
        }
    }

    @Command(
            description = "Report what is wrong with the topics, with the remedy.",
            footer = {"", "Examples:", "  ./sluice topics verify", "  ./sluice topics verify --acls"},
            mixinStandardHelpOptions = true)
    int verify(@Mixin Connection connection, @Mixin AclOptions acls) throws InvalidSettings, Refused {
        PrintWriter out = spec.commandLine().getOut();
        List<AclBinding> rights = acls.wanted() ? acls.bindings(places(connection)) : List.of();
        try (Admin admin = connection.admin()) {
            boolean missing = acls.wanted() && new AccessRights(admin).verify(rights, out);
            return wrong(admin, connection) || missing ? 1 : 0;
        } catch (KafkaException e) {
            throw connection.unreachable(e);
        }
    }

    private boolean wrong(Admin admin, Connection connection) throws InvalidSettings {
        PrintWriter out = spec.commandLine().getOut();
        List<TopicProblem> problems = problems(admin, connection);
        problems.forEach(problem -> out.println((problem.warning() ? "warning: " : "wrong: ") + problem));
        boolean wrong = problems.stream().anyMatch(problem -> !problem.warning());
        out.println(wrong ? "the analyzer would refuse these topics" : "topics are as they should be");
        out.flush();
        return wrong;
    }

    /** Problems that the analyzer would refuse or warn of. */
    static List<TopicProblem> problems(Admin admin, Connection connection) throws InvalidSettings {
        TopicAdministration administration = new TopicAdministration(admin);
        List<TopicProblem> problems =
                new ArrayList<>(administration.verify(connection.topics(), definitions(connection)));
        for (SourceSettings source : connection.settings().sources()) {
            if (!source.topic().equals(connection.topics().requests())) {
                problems.addAll(administration.verifySource(source.topic()));
            }
        }
        StatePartitions.find(
                        admin,
                        AnalyzerOptions.applicationId(connection.settings().topics()),
                        connection.servers(),
                        connection.settings().sources().stream()
                                .map(SourceSettings::topic)
                                .toList(),
                        connection.topics().usage())
                .ifPresent(problem -> problems.add(0, problem));
        return problems;
    }

    private static Role.Places places(Connection connection) throws InvalidSettings {
        return new Role.Places(
                connection.topics(),
                connection.settings().sources().stream()
                        .map(SourceSettings::topic)
                        .toList(),
                AnalyzerOptions.applicationId(connection.settings().topics()),
                connection.settings().http().writes(),
                null);
    }

    private static List<TopicDefinition> definitions(Connection connection) throws InvalidSettings {
        TopicSettings topics = connection.settings().topics();
        return Topics.definitions(
                connection.topics(),
                topics.partitions(),
                topics.replication(),
                connection.settings().analyzer().maxLease(),
                topics.retention());
    }
}
