package io.sluice.analyzer.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses to start an instance that already runs with another state directory. Brokers let the newest static member of a name
 * replace the one before, so that joining would end the process that works. A member of the same name is another process when
 * its client id lacks the process id that Kafka Streams keeps in the state directory. One that has died stays in the group until
 * its session ends, which is waited for.
 */
final class InstanceCheck {
    private static final Logger log = LoggerFactory.getLogger(InstanceCheck.class);
    private static final int PAUSE_MILLIS = 250;
    private static final Pattern PROCESS_ID = Pattern.compile("\"processId\"\\s*:\\s*\"([^\"]+)\"");

    private final Admin admin;
    private final AnalyzerOptions options;
    private final long patienceMillis;

    /** @throws CannotStart when the Kafka settings name no session's length */
    InstanceCheck(Admin admin, AnalyzerOptions options) throws CannotStart {
        this.admin = admin;
        this.options = options;
        patienceMillis = 2L * StreamsSettings.session(options.client());
    }

    /** @throws CannotStart when another process is a member of the group under this instance's name for longer than a session */
    void await() throws CannotStart {
        String instance = options.analyzer().instance();
        String process = processId(options.stateDirectory().resolve(options.applicationId()));
        Collection<MemberDescription> members = members(List.of());
        Optional<String> host = other(members, instance, process);
        if (host.isEmpty()) {
            return;
        }
        log.warn(
                "analyzer.instance '{}' is a member of the group at {}, with another state directory; waiting up to {} s for"
                        + " its session to end",
                instance,
                host.get(),
                TimeUnit.MILLISECONDS.toSeconds(patienceMillis));
        long began = System.nanoTime();
        while (host.isPresent() && System.nanoTime() - began < TimeUnit.MILLISECONDS.toNanos(patienceMillis)) {
            pause();
            members = members(members);
            host = other(members, instance, process);
        }
        if (host.isPresent()) {
            throw new CannotStart("analyzer.instance: another process runs as '" + instance + "' at " + host.get()
                    + ", with another analyzer.state-dir; stop it first, or give this one another analyzer.instance");
        }
    }

    private static void pause() throws CannotStart {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        }
    }

    /** @param former what is returned when the broker does not answer */
    private Collection<MemberDescription> members(Collection<MemberDescription> former) throws CannotStart {
        String group = options.applicationId();
        try {
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .flatMap(found -> found.members().stream())
                    .toList();
        } catch (ExecutionException e) {
            log.debug("the members of {} are not known", group, e);
            return afterFailure(e.getCause(), former);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        }
    }

    /** Returns the members that the group is assumed to have: none when it does not exist, else those seen before. */
    static Collection<MemberDescription> afterFailure(
            @Nullable Throwable failure, Collection<MemberDescription> former) {
        return failure instanceof GroupIdNotFoundException ? List.of() : former;
    }

    /**
     * Returns the host of another process that has joined as this instance.
     *
     * @param process the id of this process, empty when its state directory is new
     */
    static Optional<String> other(Collection<MemberDescription> members, String instance, String process) {
        // as Kafka Streams names its threads' consumers
        Pattern ours = Pattern.compile(Pattern.quote(instance) + "-\\d+");
        return members.stream()
                .filter(member ->
                        ours.matcher(member.groupInstanceId().orElse("")).matches())
                .filter(member -> process.isEmpty() || !member.clientId().contains(process))
                .map(member -> member.host().replaceFirst("^/", ""))
                .findFirst();
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
