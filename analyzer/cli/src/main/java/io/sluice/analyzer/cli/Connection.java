package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.OperatorWriter;
import io.sluice.contract.decision.PolicySetChange;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.RecordSignatures;
import io.sluice.contract.topic.TopicFollower;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The connection of a command to the cluster: the common options, and clients that give up after a few seconds. */
final class Connection {
    /** How long a broker may take for its first answer. */
    static final Duration ANSWER = Duration.ofSeconds(5);

    /** How long a broker that answers may take for data. */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Most topics are read within this time. */
    private static final Duration PROMPT = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofMillis(50);

    private static final String NO_TOPIC = "no such topic";
    private static final String CREATE = "; './sluice topics create' creates Sluice's topics";
    private static final String BOOTSTRAP = "SLUICE_KAFKA_BOOTSTRAP_SERVERS";
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
        client.put("request.timeout.ms", 4_000);
        client.put("default.api.timeout.ms", 4_500);
        // nobody reads the metrics of a client that lives for a second
        client.putIfAbsent("metric.reporters", "");
        client.putIfAbsent("enable.metrics.push", false);
        return client;
    }

    /**
     * Waits until a bootstrap address accepts a connection, for at most {@link #ANSWER}: a broker may start at the same time.
     *
     * @throws Refused when none does
     */
    void awaitBroker() throws InvalidSettings, Refused {
        reach(ANSWER);
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
                throw noAnswer(problem);
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

    private Admin admin(Duration timeout) throws InvalidSettings, Refused {
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

    /** Writes one record and waits until the broker has it. */
    void write(String topic, byte[] key, byte[] value) throws InvalidSettings, Refused {
        Map<String, Object> client = RecordSignatures.producing(client());
        client.put("max.block.ms", client.remove("default.api.timeout.ms"));
        client.put("delivery.timeout.ms", (int) PATIENCE.toMillis());
        client.put("linger.ms", 0);
        // a producer that no broker answers takes its timeout twice, the second time to close
        admin().close(Duration.ZERO);
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            RecordMetadata written = producer.send(new ProducerRecord<>(topic, key, value))
                    .get(PATIENCE.toMillis() * 2, TimeUnit.MILLISECONDS);
            assert written.hasOffset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted before the broker answered");
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw unreachable(e);
        }
    }

    /**
     * Waits until a follower has read its topics to the end, and warns of partitions without a leader.
     *
     * @param read counted down then
     * @throws Refused when no broker answers within {@link #ANSWER}, a topic cannot be read, or reading takes longer than
     *     {@link #PATIENCE}
     */
    void await(CountDownLatch read, TopicFollower follower) throws InvalidSettings, Refused, InterruptedException {
        if (await(read, follower, PROMPT)) {
            return;
        }
        // The follower retries in silence: another client finds out whether a broker answers.
        admin(ANSWER.minus(PROMPT)).close(Duration.ZERO);
        String trouble = follower.trouble();
        boolean lasting =
                trouble != null && (trouble.startsWith(NO_TOPIC) || NotAllowed.because(new KafkaException(trouble)));
        if (!lasting && await(read, follower, PATIENCE)) {
            return;
        }
        trouble = follower.trouble();
        throw trouble == null
                ? new Refused("Kafka at " + servers() + " did not send the whole topics within " + PATIENCE.toSeconds()
                        + " s.")
                : unreachable(new KafkaException(trouble));
    }

    /** Waits for the end of the topics, or of all partitions that have a leader. */
    private boolean await(CountDownLatch read, TopicFollower follower, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean done = false;
        while (!done && System.nanoTime() < deadline) {
            done = read.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)
                    || !follower.leaderless().isEmpty();
        }
        warn(leaderless(follower.leaderless()));
        unsigned(follower.refused());
        return done;
    }

    private void unsigned(Map<String, Long> refused) {
        refused.forEach((topic, count) ->
                warn(count + " of the records of " + topic + " have no valid signature: they are not included"));
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
            throw new Refused(e.getMessage() + CREATE);
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

    /** Message for a cluster that doesn't answer, or rejects the user or the request. */
    Refused unreachable(Exception failure) throws InvalidSettings {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (NotAllowed.because(failure)) {
            return new NotAllowed("Kafka at " + servers() + " does not let this user do it: " + message);
        }
        if (cause instanceof TimeoutException || cause instanceof org.apache.kafka.common.errors.TimeoutException) {
            return noAnswer("did not answer within " + ANSWER.toSeconds() + " s.");
        }
        if (cause instanceof AuthenticationException) {
            return new Refused("Kafka at " + servers() + " rejected the login: " + message
                    + ". Check the security settings in the file that kafka.properties-file names.");
        }
        return new Refused("Kafka at " + servers() + " failed the request: " + message
                + (message.startsWith(NO_TOPIC) ? CREATE : ""));
    }

    private Refused noAnswer(String what) throws InvalidSettings {
        return new Refused("Kafka at " + servers() + " " + what
                + " Check that it runs and is reachable from here, or name another one:"
                + " --bootstrap, kafka.bootstrap.servers in sluice.yml, or " + BOOTSTRAP + ".");
    }
}
