package io.sluice.analyzer.replay;

import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.policy.PolicySet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice replay}: exit status 0 done, 1 failed or {@code --fail-on} found something, 2 wrong usage. */
@Command(
        name = "replay",
        description = "Shows what policies would have done with logs of the past; without policies, what callers do.",
        mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
    private static final String NOT_YET = "Not supported yet.";

    @Spec
    @Nullable
    CommandSpec spec;

    @Parameters(paramLabel = "LOG", arity = "0..*", description = "Access logs, plain or gzip; - for standard input.")
    List<String> logs = new ArrayList<>();

    @Option(names = "--policies", paramLabel = "FILE", description = "The policies to replay, YAML or JSON.")
    @Nullable
    Path policies;

    @Option(
            names = "--format",
            paramLabel = "F",
            description = "json, combined (reads common too) or nginx-json. Default: found out for each log.")
    @Nullable
    String format;

    @Option(
            names = "--caller",
            paramLabel = "C",
            split = ",",
            description = "The field that names the caller, such as $remote_user; of several the first present.")
    List<String> callers = new ArrayList<>();

    @Option(names = "--report", paramLabel = "FILE", description = "Writes the result as JSON, too.")
    @Nullable
    Path report;

    @Option(names = "--json", description = "Prints the result as JSON.")
    boolean json;

    @Option(names = "--fail-on", paramLabel = "WHAT", description = "locks: exit status 1 when there is a lock.")
    @Nullable
    String failOn;

    @Option(names = "--against", paramLabel = "FILE", description = NOT_YET)
    @Nullable
    String against;

    @Option(names = "--exact", description = NOT_YET)
    boolean exact;

    @Option(names = "--topic", paramLabel = "T", description = NOT_YET)
    @Nullable
    String topic;

    @Option(names = "--since", paramLabel = "AGO", description = NOT_YET)
    @Nullable
    String since;

    @Option(names = "--scenario", paramLabel = "DIR", description = NOT_YET)
    @Nullable
    String scenario;

    @Override
    public Integer call() {
        check();
        CommandSpec command = spec();
        PrintWriter err = command.commandLine().getErr();
        List<LogFile> files = new ArrayList<>();
        try {
            PolicySet set = policies == null ? null : PolicyFile.read(policies);
            for (String log : logs) {
                files.add(LogFile.of(log, System.in));
            }
            Progress progress = new Progress(err, Terminal.onStandardError());
            ReplayResult result = new Replay(set, format, callers, progress).of(files);
            tell(result, command.commandLine().getOut());
            return failOn != null && !result.locks().isEmpty() ? 1 : 0;
        } catch (IOException e) {
            err.println("replay: " + reason(e));
            err.flush();
            return 1;
        } finally {
            close(files, err);
        }
    }

    private void check() {
        Map<String, Boolean> notYet = new LinkedHashMap<>();
        notYet.put("--against", against != null);
        notYet.put("--exact", exact);
        notYet.put("--topic", topic != null);
        notYet.put("--since", since != null);
        notYet.put("--scenario", scenario != null);
        notYet.put("--fail-on changes", "changes".equals(failOn));
        notYet.forEach((option, given) -> {
            if (given) {
                throw wrong(option + " is not supported yet");
            }
        });
        if (failOn != null && !failOn.equals("locks")) {
            throw wrong("--fail-on: found '" + failOn + "', allowed: locks");
        }
        if (failOn != null && policies == null) {
            throw wrong("--fail-on locks needs --policies");
        }
        checkFormat();
        if (logs.isEmpty()) {
            throw wrong("no log given; - is standard input");
        }
        if (Collections.frequency(logs, "-") > 1) {
            throw wrong("standard input can be read only once");
        }
    }

    private void checkFormat() {
        String given = format;
        if (given == null) {
            return;
        }
        try {
            LogFormats.of(FormatGuess.source(given, callers));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private void tell(ReplayResult result, PrintWriter out) throws IOException {
        byte[] program = ReportJson.write(result);
        if (report != null) {
            Files.write(report, program);
        }
        if (json) {
            out.println(new String(program, StandardCharsets.UTF_8));
            out.flush();
        } else {
            new ReportText(result, out).print();
        }
    }

    private static String reason(IOException e) {
        // of these the message is a file's name and nothing else
        if (e instanceof FileSystemException file && file.getReason() == null) {
            return file.getFile() + ": " + (e instanceof NoSuchFileException ? "no such place" : "no access");
        }
        return String.valueOf(e.getMessage());
    }

    private static void close(List<LogFile> files, PrintWriter err) {
        for (LogFile file : files) {
            try {
                file.close();
            } catch (IOException e) {
                err.println("replay: can't delete " + file.path());
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

    private ParameterException wrong(String message) {
        return new ParameterException(spec().commandLine(), message);
    }
}
