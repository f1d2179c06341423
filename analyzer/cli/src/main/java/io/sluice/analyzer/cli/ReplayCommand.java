package io.sluice.analyzer.cli;

import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.Comparison;
import io.sluice.analyzer.replay.LogFile;
import io.sluice.analyzer.replay.Progress;
import io.sluice.analyzer.replay.Replay;
import io.sluice.analyzer.replay.ReplayResult;
import io.sluice.analyzer.replay.ReportJson;
import io.sluice.analyzer.replay.ReportText;
import io.sluice.analyzer.replay.TopicLogs;
import io.sluice.analyzer.replay.scenario.ScenarioRun;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.FileErrors;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice replay}: exit status 0 done, 1 failed or {@code --fail-on} found something, 2 wrong usage. */
@Command(
        name = "replay",
        description = "Show what policies would have done with logs of the past; without policies, what callers do.",
        footer = {
            "",
            "Examples:",
            "  ./sluice replay access.log",
            "  ./sluice replay --policies policies.yml access.log",
            "  ./sluice replay --policies new.yml --against policies.yml --topic sluice.requests --since 10h",
            "  ./sluice replay --scenario examples/scenarios/credential-stuffing"
        },
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    private final TopicLogs topics;

    @Spec
    @Nullable
    CommandSpec spec;

    @Mixin
    ReplayOptions options = new ReplayOptions();

    /** @param topics opens topics */
    ReplayCommand(TopicLogs topics) {
        this.topics = topics;
    }

    @Override
    public Integer call() throws InvalidSettings {
        CommandSpec command = spec();
        try {
            options.check();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
        ReportFile.check(command.commandLine(), options.report);
        PrintWriter err = command.commandLine().getErr();
        if (!options.scenarios.isEmpty()) {
            return play(command.commandLine().getOut(), err);
        }
        List<AccessLog> logs = new ArrayList<>();
        try {
            Replay.Question question =
                    new Replay.Question(read(options.policies), read(options.against), options.exact);
            open(logs, err);
            Progress progress = new Progress(err, StandardError.isTerminal());
            ReplayResult result = new Replay(question, options.format, options.callers, progress).of(logs);
            tell(result, command.commandLine().getOut());
            List<String> unread = result.unread();
            // of a topic, partitions may hold a few records of other kinds
            if (!unread.isEmpty() && (options.topic == null || result.events() == 0)) {
                throw new Refused("no line of " + String.join(", ", unread)
                        + " could be read; --format names another format, and the reasons are in the report");
            }
            return failed(result) ? 1 : 0;
        } catch (IOException | Refused e) {
            if (e.getCause() instanceof InvalidSettings wrong && wrong.ofOption()) {
                throw wrong;
            }
            err.println("replay: " + PrintableText.lines(reason(e)));
            err.flush();
            return 1;
        } finally {
            close(logs, err);
        }
    }

    private int play(PrintWriter out, PrintWriter err) {
        int worst = ScenarioRun.PASSED;
        for (Path scenario : options.scenarios) {
            worst = Math.max(worst, ScenarioRun.of(scenario, out, err));
        }
        return worst;
    }

    private @Nullable PolicySet read(@Nullable Path policies) throws Refused, IOException {
        if (policies == null) {
            return null;
        }
        if (options.topic == null) {
            return PoliciesCommand.read(policies);
        }
        // agents with a key have replaced the names in the records
        Connection connection = new Connection();
        connection.config = options.config;
        connection.bootstrap = options.bootstrap;
        try {
            return PoliciesCommand.read(policies, connection);
        } catch (InvalidSettings e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void open(List<AccessLog> logs, PrintWriter err) throws IOException {
        String topic = options.topic;
        if (topic != null) {
            logs.addAll(topics.open(
                    new TopicLogs.Wanted(
                            options.config,
                            options.bootstrap,
                            topic,
                            options.sinceMillis(),
                            options.format,
                            options.callers),
                    err));
        }
        for (String log : options.logs) {
            logs.add(LogFile.of(log, System.in));
        }
    }

    private boolean failed(ReplayResult result) {
        if (ReplayOptions.LOCKS.equals(options.failOn)) {
            return !result.locks().isEmpty();
        }
        Comparison comparison = result.comparison();
        return ReplayOptions.CHANGES.equals(options.failOn)
                && comparison != null
                && !comparison.changes().isEmpty();
    }

    private void tell(ReplayResult result, PrintWriter out) throws IOException {
        byte[] program = ReportJson.write(result);
        if (options.json) {
            out.println(PrintableText.json(new String(program, StandardCharsets.UTF_8)));
            out.flush();
        } else {
            new ReportText(result, out).print();
        }
        // after the result, so that a full disk does not lose it
        if (options.report != null) {
            ReportFile.write(options.report, program);
        }
    }

    private static String reason(Exception e) {
        // of these the message is a file's name and nothing else
        if (e instanceof FileSystemException file && file.getFile() != null) {
            return FileErrors.message(Path.of(file.getFile()), file);
        }
        return String.valueOf(e.getMessage());
    }

    private static void close(List<AccessLog> logs, PrintWriter err) {
        for (AccessLog log : logs) {
            try {
                log.close();
            } catch (IOException e) {
                err.println("replay: can't delete the copy of " + PrintableText.of(log.name() + ": " + e.getMessage()));
            }
        }
    }

    private CommandSpec spec() {
        CommandSpec command = spec;
        if (command == null) {
            throw new IllegalStateException("runs as a subcommand only");
        }
        return command;
    }
}
