package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.OperatorWriter;
import io.sluice.analyzer.main.BrokerProbe;
import io.sluice.contract.decision.PolicySetChange;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TimeLimit;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.TopicReader;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The connection of a command to the cluster: the common options, and clients that give up after a few seconds. */
final class Connection {
    /** How long a broker may take for its first answer: a command without one ends within five seconds, the start of its JVM included. */
    static final Duration ANSWER = TimeLimit.of(Duration.ofSeconds(4));

    /** How long a broker may take to start that starts together with the command. */
    private static final Duration START = Duration.ofSeconds(5);

    /** How long a broker that answers may take for data. */
    static final Duration PATIENCE = TimeLimit.of(Duration.ofSeconds(15));

    private static final long RETRY_MILLIS = 250;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings; default: sluice.yml, if there is one.")
    @Nullable
    Path config;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "Kafka's address, or several with commas. Default: kafka.bootstrap.servers.")
    @Nullable
    String bootstrap;

    /** The command that these are options of; warnings go to its standard error. */
    @Spec(Spec.Target.MIXEE)
    @Nullable
    CommandSpec command;

    /** Where warnings go without a command. */
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());

    private final Set<String> warnings = new HashSet<>();
    private @Nullable SluiceSettings settings;
    private boolean probed;

    /** A use of a reader, from looking up ranges to the last record. */
    interface Reading {
        void of(TopicReader reader) throws InvalidSettings, Refused;
    }

    SluiceSettings settings() throws InvalidSettings {
        if (settings == null) {
            settings = SluiceSettings.read(config, bootstrap, System.getenv());
        }
        return settings;
    }

    TopicNames topics() throws InvalidSettings {
        return new TopicNames(settings().topics().prefix());
    }

    /** The longest lease of a lock, in milliseconds. */
    long maxLease() throws InvalidSettings {
        return settings().analyzer().maxLease();
    }

    /**
     * The settings of a client that gives up when no broker answers.
     *
     * @throws Refused at once when no bootstrap address accepts a connection
     */
    Map<String, Object> client() throws InvalidSettings, Refused {
        if (!probed) {
            reach(Duration.ZERO);
            probed = true;
        }
        Map<String, Object> client = new HashMap<>(settings().kafka().client());
        // Overrides the properties file: clients reject a request timeout above that of the whole call. A client must
        // give up before ANSWER is over.
        client.put("request.timeout.ms", (int) ANSWER.toMillis() - 1_000);
        client.put("default.api.timeout.ms", (int) ANSWER.toMillis() - 500);
        // the client is closed before a reporter would publish anything
        client.putIfAbsent("metric.reporters", "");
        client.putIfAbsent("enable.metrics.push", false);
        return client;
    }

    /**
     * Waits until a bootstrap address accepts a connection, for at most five seconds: a broker may start at the same time.
     *
     * @throws Refused when none does
     */
    void awaitBroker() throws InvalidSettings, Refused {
        reach(START);
    }

    private void reach(Duration retry) throws InvalidSettings, Refused {
        long deadline = System.nanoTime() + retry.toNanos();
        try {
            String problem = BrokerProbe.problem(servers(), ANSWER);
            while (problem != null && System.nanoTime() + RETRY_MILLIS * 1_000_000 < deadline) {
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
                problem = BrokerProbe.problem(servers(), ANSWER);
            }
            if (problem != null) {
                throw KafkaProblem.noAnswer(servers(), problem);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted before the broker answered");
        }
    }

    /** {@code bootstrap.servers} as set: {@code host:port,…}. */
    String servers() throws InvalidSettings {
        return String.valueOf(settings().kafka().client().get("bootstrap.servers"));
    }

    /** A client for topics and groups; a broker has answered it. */
    Admin admin() throws InvalidSettings, Refused {
        return admin(ANSWER);
    }

    /** As {@link #admin()}, for a broker that has been silent for a while already. */
    Admin admin(Duration timeout) throws InvalidSettings, Refused {
        Map<String, Object> client = client();
        client.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
        Admin admin;
        try {
            admin = Admin.create(client);
        } catch (KafkaException e) {
            throw unreachable(e);
        }
        try {
            admin.describeCluster().nodes().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return admin;
        } catch (ExecutionException | TimeoutException e) {
            admin.close(Duration.ZERO);
            throw unreachable(e);
        } catch (InterruptedException e) {
            admin.close(Duration.ZERO);
            Thread.currentThread().interrupt();
            throw new Refused("interrupted before the broker answered");
        }
    }

    /**
     * Writes an operator's record, and adds it to the decision log.
     *
     * @return why it could not be recorded though it is in force; empty when it is recorded
     */
    String write(OperatorRecord record) throws InvalidSettings, Refused {
        try {
            return new OperatorWriter(client(), topics(), PATIENCE)
                    .write(record)
                    .unrecorded();
        } catch (IOException e) {
            throw unreachable(e.getCause() instanceof Exception cause ? cause : e);
        }
    }

    /**
     * Asks for a policy set, and adds that to the decision log.
     *
     * @return why it could not be recorded though it is asked for; empty when it is recorded
     */
    String write(PolicySet set, PolicySetChange change) throws InvalidSettings, Refused {
        try {
            return new OperatorWriter(client(), topics(), PATIENCE)
                    .write(set, change)
                    .unrecorded();
        } catch (IOException e) {
            throw unreachable(e.getCause() instanceof Exception cause ? cause : e);
        }
    }

    /** Warns of records that were left out because they have no valid signature. */
    void unsigned(Map<String, Long> refused) {
        refused.forEach((topic, count) -> warn(Spans.grouped(count) + " of the records of " + topic
                + " have no valid signature: they are not included"));
    }

    /** Returns a reader that gives up after {@link #ANSWER} without offsets and {@link #PATIENCE} without records. */
    TopicReader reader(IsolationLevel isolation) throws InvalidSettings, Refused {
        return new TopicReader(client(), isolation, ANSWER, PATIENCE);
    }

    /** Reads what is committed, and names the partitions that were left out. */
    void read(Reading reading) throws InvalidSettings, Refused {
        try (TopicReader reader = reader(IsolationLevel.READ_COMMITTED)) {
            reading.of(reader);
            warn(leaderless(reader.leaderless()));
            unsigned(reader.refused());
        } catch (UnknownTopicOrPartitionException e) {
            throw new Refused(e.getMessage() + KafkaProblem.CREATE);
        } catch (KafkaException e) {
            throw unreachable(e);
        }
    }

    /** Returns a warning for partitions that could not be read; empty when there are none. */
    static String leaderless(Collection<String> partitions) {
        return partitions.isEmpty()
                ? ""
                : "no leader answers for " + String.join(", ", partitions) + ": records there are not included";
    }

    /** Prints a warning, if there is one, once. */
    void warn(String warning) {
        if (!warning.isEmpty() && warnings.add(warning)) {
            PrintWriter to = command == null ? err : command.commandLine().getErr();
            to.println("warning: " + warning);
            to.flush();
        }
    }

    /** The message of a cluster that doesn't answer, or rejects the user or the request. */
    Refused unreachable(Exception failure) throws InvalidSettings {
        return KafkaProblem.of(servers(), failure);
    }
}
