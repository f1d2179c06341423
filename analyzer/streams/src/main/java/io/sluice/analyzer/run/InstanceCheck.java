package io.sluice.analyzer.run;

import io.sluice.analyzer.topology.Fleet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.AnalyzerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses to start an instance that already runs with another state directory. Brokers let the newest static member of a name
 * replace the one before, so that joining would end the process that works. A member of the same name is another process when
 * its client id lacks the process id that Kafka Streams keeps in the state directory. One that has ended stays in the group until
 * its session does. That is waited for, unless it had decide tasks and they are silent: a process that lives writes a heartbeat for each of them
 * every second.
 */
final class InstanceCheck {
    private static final Logger log = LoggerFactory.getLogger(InstanceCheck.class);
    private static final int PATIENCE_MILLIS = 2 * StreamsSettings.SESSION_MILLIS;
    private static final int PAUSE_MILLIS = 100;
    /** After three heartbeats that did not come a process is taken for dead. */
    private static final int SILENCE_MILLIS = 3_000;

    private static final Pattern PROCESS_ID = Pattern.compile("\"processId\"\\s*:\\s*\"([^\"]+)\"");

    private final Admin admin;
    private final AnalyzerOptions options;
    private final Fleet fleet;

    /** @param fleet has read what was there, and goes on following */
    InstanceCheck(Admin admin, AnalyzerOptions options, Fleet fleet) {
        this.admin = admin;
        this.options = options;
        this.fleet = fleet;
    }

    /** @throws CannotStart when another process is a member of the group under this instance's name for longer than a session */
    void await() throws CannotStart {
        String instance = options.analyzer().instance();
        String process = processId(options.stateDirectory().resolve(options.applicationId()));
        List<MemberDescription> others = others(members(), instance, process);
        if (others.isEmpty()) {
            return;
        }
        log.warn(
                "analyzer.instance '{}' is a member of the group at {}, with another state directory; waiting up to {} s for"
                        + " its session to end",
                instance,
                host(others),
                TimeUnit.MILLISECONDS.toSeconds(PATIENCE_MILLIS));
        Silence silence = new Silence();
        long began = System.nanoTime();
        while (!others.isEmpty()) {
            if (System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
                throw new CannotStart(
                        "analyzer.instance: another process runs as '" + instance + "' at " + host(others)
                                + ", with another analyzer.state-dir; stop it first, or give this one another analyzer.instance");
            }
            pause();
            if (decides(others) && silence.lastsAfterPause()) {
                log.info("no decide task of the other process has sent a heartbeat: it is taken for dead");
                return;
            }
            others = others(members(), instance, process);
        }
    }

    /** For how long no heartbeat of this instance has come. */
    private final class Silence {
        private OptionalLong heard = OptionalLong.empty();
        private int pauses;

        /** To be called after each pause. Time is measured in pauses, since this process may stand still as well. */
        boolean lastsAfterPause() {
            OptionalLong newest = fleet.newestHeartbeat(options.analyzer().instance());
            pauses = newest.equals(heard) ? pauses + 1 : 0;
            heard = newest;
            AnalyzerSettings analyzer = options.analyzer();
            // in transactions, nothing is seen before a commit
            long most = SILENCE_MILLIS + (analyzer.exactlyOnce() ? StreamsSettings.longestCommit(analyzer) : 0);
            return (long) pauses * PAUSE_MILLIS >= most;
        }
    }

    private boolean decides(Collection<MemberDescription> members) {
        String usage = new TopicNames(options.topics().prefix()).usage();
        return members.stream()
                .flatMap(member -> member.assignment().topicPartitions().stream())
                .anyMatch(partition -> partition.topic().equals(usage));
    }

    private static String host(List<MemberDescription> members) {
        return members.get(0).host().replaceFirst("^/", "");
    }

    private static void pause() throws CannotStart {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        }
    }

    /** Returns the members of the group; none when there is no group yet or the broker does not report it. */
    private Collection<MemberDescription> members() throws CannotStart {
        String group = options.applicationId();
        try {
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .flatMap(found -> found.members().stream())
                    .toList();
        } catch (ExecutionException e) {
            log.debug("the members of {} are not known", group, e);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        }
    }

    /**
     * Returns the members that belong to another process that has joined as this instance.
     *
     * @param process the id of this process, empty when its state directory is new
     */
    static List<MemberDescription> others(Collection<MemberDescription> members, String instance, String process) {
        // as Kafka Streams names its threads' consumers
        Pattern ours = Pattern.compile(Pattern.quote(instance) + "-\\d+");
        return members.stream()
                .filter(member ->
                        ours.matcher(member.groupInstanceId().orElse("")).matches())
                .filter(member -> process.isEmpty() || !member.clientId().contains(process))
                .toList();
    }

    /** Returns the process id that Kafka Streams has left in its directory, or an empty string. */
    static String processId(Path applicationDirectory) {
        try {
            Matcher id = PROCESS_ID.matcher(
                    Files.readString(applicationDirectory.resolve("kafka-streams-process-metadata")));
            return id.find() ? id.group(1) : "";
        } catch (IOException e) {
            return "";
        }
    }
}
