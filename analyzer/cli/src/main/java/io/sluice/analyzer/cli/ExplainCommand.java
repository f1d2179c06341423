package io.sluice.analyzer.cli;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains what a line of an access log means to the policies. */
@Command(
        name = "explain",
        description =
                "How a line of an access log is read, which policies count it, for which subject, and in which pane. Exit code 1"
                        + " when it can't be read.",
        footer = {
            "",
            "Examples:",
            "  ./sluice explain '{\"time\":1763700000000,\"caller\":\"acme\",\"status\":200}'",
            "  ./sluice explain \"$(tail -n 1 access.log)\" --source nginx.access --policies policies.yml"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class ExplainCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "LINE", description = "One line, as it stands on the topic.")
    String line;

    @Option(names = "--source", paramLabel = "TOPIC", description = "Read as this source. Default: the first one.")
    @Nullable
    String topic;

    @Option(
            names = "--policies",
            paramLabel = "FILE",
            description = "Use the policies of this file; needs no Kafka. Default: the set in force.")
    @Nullable
    Path policies;

    @Option(names = "--json", description = "A JSON object.")
    boolean json;

    @Mixin
    Connection connection;

    @Override
    public Integer call() throws InvalidSettings, Refused, InterruptedException {
        SourceSettings source = source();
        PrintWriter out = spec.commandLine().getOut();
        RequestEvent event;
        try {
            event = format(source).read(line.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedRecord e) {
            throw new Refused(
                    "can't be read as " + source.format() + " (source " + source.topic() + "): " + e.getMessage()
                            + "\nit would become a dead letter; sources, format and fields stand in sluice.yml");
        }
        PolicySet set = policies();
        AnalyzerSettings analyzer = connection.settings().analyzer();
        long counted =
                new EventTimes(analyzer.skew(), analyzer.lateness()).of(event.time(), System.currentTimeMillis());
        ExplainedLine explained = new ExplainedLine(source, event, counted, set);
        if (json) {
            out.println(explained.json());
        } else {
            explained.print(out, System.currentTimeMillis());
        }
        out.flush();
        return 0;
    }

    private SourceSettings source() throws InvalidSettings, Refused {
        List<SourceSettings> sources = connection.settings().sources();
        return topic == null
                ? sources.get(0)
                : sources.stream()
                        .filter(each -> each.topic().equals(topic))
                        .findFirst()
                        .orElseThrow(() -> new Refused("--source: found " + topic + ", there are "
                                + sources.stream().map(SourceSettings::topic).toList()));
    }

    private static LogFormat format(SourceSettings source) throws Refused {
        try {
            return LogFormats.of(source);
        } catch (IllegalArgumentException e) {
            throw new Refused("source " + source.topic() + ": " + e.getMessage());
        }
    }

    private PolicySet policies() throws InvalidSettings, Refused, InterruptedException {
        if (policies != null) {
            return PoliciesCommand.read(policies);
        }
        PolicySet set = new PoliciesInForce(connection).read();
        if (set == null) {
            throw new Refused("no policies are in force; --policies FILE goes by a file");
        }
        return set;
    }
}
