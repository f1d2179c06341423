package io.sluice.analyzer.cli;

import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.replay.FormatGuess;
import io.sluice.contract.policy.Quantities;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of a replay, and their valid combinations. */
final class ReplayOptions {
    static final String LOCKS = "locks";
    static final String CHANGES = "changes";

    @Parameters(paramLabel = "LOG", arity = "0..*", description = "Access logs, plain or gzip; - for standard input.")
    List<String> logs = new ArrayList<>();

    @Option(names = "--policies", paramLabel = "FILE", description = "The policies to replay, YAML or JSON.")
    @Nullable
    Path policies;

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description = "Other policies, such as those in force: which locks come, go and change.")
    @Nullable
    Path against;

    @Option(
            names = "--exact",
            description =
                    "Adds the verdict of the exact method on each lock, and callers over a threshold that were never locked. It keeps"
                            + " every event of a window in memory.")
    boolean exact;

    @Option(
            names = "--format",
            paramLabel = "F",
            completionCandidates = Formats.class,
            description = "json, combined (reads common too), nginx-json, envoy-json, ecs, or one that was added."
                    + " Default: detected for each log; of a topic as configured.")
    @Nullable
    String format;

    @Option(
            names = "--caller",
            paramLabel = "C",
            split = ",",
            description = "The field that names the caller, such as $remote_user; of several the first present.")
    List<String> callers = new ArrayList<>();

    @Option(names = "--topic", paramLabel = "T", description = "Reads what a topic still holds, instead of files.")
    @Nullable
    String topic;

    @Option(
            names = "--since",
            paramLabel = "AGO",
            description = "With --topic: how far back, such as 90m or 7d. Default: 24h.")
    @Nullable
    String since;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "With --topic: the settings with the cluster and the topic's format; default: sluice.yml, if"
                    + " there is one.")
    @Nullable
    Path config;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "With --topic: Kafka's address, or several with commas. Default: kafka.bootstrap.servers.")
    @Nullable
    String bootstrap;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes the result as JSON, too.")
    @Nullable
    Path report;

    @Option(names = "--json", description = "Prints the result as JSON.")
    boolean json;

    @Option(
            names = "--fail-on",
            paramLabel = "WHAT",
            completionCandidates = FailOn.class,
            description = "locks: exit status 1 when there is a lock; changes: when --against shows any.")
    @Nullable
    String failOn;

    @Option(
            names = "--scenario",
            paramLabel = "DIR",
            description =
                    "Plays a folder's policy.yml and events.jsonl and compares with its expected-locks.jsonl: exit"
                            + " status 1 when a lock is missing or unexpected. May be given several times.")
    List<Path> scenarios = new ArrayList<>();

    /** Values of {@code --fail-on}, for shell completion. */
    static final class FailOn implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(LOCKS, CHANGES).iterator();
        }
    }

    /** The names of the formats, for shell completion. */
    static final class Formats implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return LogFormats.names().iterator();
        }
    }

    /**
     * Conflicts between options.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    void check() {
        if (!scenarios.isEmpty()) {
            refuse(
                    scenarios.stream().anyMatch(scenario -> scenario.toString().isEmpty()),
                    "--scenario: found nothing, allowed is a folder");
            refuse(others(), "--scenario brings its own policies and events: no other options and no logs");
            return;
        }
        refuse(
                failOn != null && !failOn.equals(LOCKS) && !failOn.equals(CHANGES),
                "--fail-on: found '" + failOn + "', allowed: locks, changes");
        refuse(LOCKS.equals(failOn) && policies == null, "--fail-on locks needs --policies");
        refuse(CHANGES.equals(failOn) && against == null, "--fail-on changes needs --against");
        refuse(against != null && policies == null, "--against needs --policies, to compare with");
        refuse(exact && policies == null, "--exact needs --policies");
        refuse(topic == null && since != null, "--since needs --topic: of files all is read");
        refuse(topic == null && config != null, "--config needs --topic: files are not configured");
        refuse(topic == null && bootstrap != null, "--bootstrap needs --topic: files need no Kafka");
        refuse(topic != null && topic.isBlank(), "--topic: found nothing, allowed is the name of a topic");
        refuse(
                bootstrap != null && bootstrap.isBlank(),
                "--bootstrap: found nothing, allowed is HOST:PORT, or several with commas");
        refuse(topic != null && !logs.isEmpty(), "--topic reads a topic, and " + logs + " are files: give one of both");
        refuse(topic == null && logs.isEmpty(), "no log given; - is standard input");
        refuse(Collections.frequency(logs, "-") > 1, "standard input can be read only once");
        refuse(
                callers.stream().anyMatch(String::isBlank),
                "--caller: found an empty name, allowed: a field such as '$remote_user' in single quotes, or several with"
                        + " commas");
        if (format != null) {
            LogFormats.of(FormatGuess.source(format, callers));
        }
        sinceMillis();
    }

    private boolean others() {
        return !logs.isEmpty()
                || !callers.isEmpty()
                || exact
                || json
                || report != null
                || policies != null
                || against != null
                || failOn != null
                || format != null
                || topic != null
                || since != null
                || config != null
                || bootstrap != null;
    }

    long sinceMillis() {
        if (since == null) {
            return Quantities.duration("24h");
        }
        try {
            long millis = Quantities.duration(since);
            refuse(millis == 0, "more than 0 is needed");
            return millis;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--since: found '" + since + "', " + e.getMessage(), e);
        }
    }

    private static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw new IllegalArgumentException(message);
        }
    }
}
