package io.sluice.analyzer.run;

import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.sluice.analyzer.Count;
import io.sluice.analyzer.api.Tasks;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.topology.AnalyzerTopology;
import io.sluice.analyzer.topology.Fleet;
import io.sluice.analyzer.topology.FleetListener;
import io.sluice.analyzer.topology.Parts;
import io.sluice.analyzer.topology.StoredWindows;
import io.sluice.analyzer.topology.Tallies;
import io.sluice.contract.event.Identity;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import io.sluice.settings.SourceSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running analyzer. It checks the topics, reads what the fleet has said so far, and only then begins to count: a task
 * that does not know the policies would let events pass uncounted. Thread-safe.
 */
public final class Analyzer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Analyzer.class);
    private static final long HISTORY_SECONDS = 60;
    private static final Duration ADMIN_PATIENCE = Duration.ofSeconds(1);

    private final AnalyzerOptions options;
    private final Fleet fleet = new Fleet();
    private final Tallies tallies = new Tallies();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable StreamsRun run;
    private @Nullable Tasks tasks;
    private @Nullable LogEnds ends;
    private volatile @Nullable String topicProblem;

    private Analyzer(AnalyzerOptions options) {
        this.options = options;
    }

    /**
     * Starts an analyzer; it runs when this returns, though its tasks may still be restoring their state.
     *
     * @throws CannotStart with what is wrong and what to do about it
     */
    public static Analyzer start(AnalyzerOptions options) throws CannotStart {
        Analyzer analyzer = new Analyzer(options);
        try {
            analyzer.start();
            return analyzer;
        } catch (CannotStart | RuntimeException e) {
            analyzer.close();
            throw e;
        }
    }

    private void start() throws CannotStart {
        open.push(InstanceLock.take(options.stateDirectory(), options.analyzer().instance()));
        Admin admin = admin();
        open.push(() -> admin.close(ADMIN_PATIENCE));
        Map<String, Integer> partitions = new TopicCheck(admin, options).partitions();
        TopicNames topics = new TopicNames(options.topics().prefix());
        readHistory(topics);
        LogEnds positions =
                new LogEnds(admin, options.applicationId(), () -> fleet.clock().now(System.nanoTime()));
        ends = positions;
        open.push(positions);
        positions.start();
        Parts parts = parts(topics, partitions, positions);
        StreamsRun started =
                StreamsRun.start(options, StreamsSettings.of(options), config -> AnalyzerTopology.of(parts, config));
        run = started;
        open.push(started);
        Parts.Rules rules = parts.rules();
        StoredWindows windows =
                new StoredWindows(started.streams(), parts.partitions(), rules.lateness() + rules.skew());
        tasks = new AnalyzerTasks(started.streams(), windows, tallies, parts.partitions(), options.address());
        open.push(TopicWatch.start(admin, watched(topics), problem -> changed(problem, started)));
    }

    private Set<String> watched(TopicNames topics) {
        Set<String> all = new TreeSet<>();
        Topics.definitions(topics, 1, 1, options.analyzer().maxLease())
                .forEach(definition -> all.add(definition.name()));
        options.sources().forEach(source -> all.add(source.topic()));
        return all;
    }

    private void changed(String problem, StreamsRun running) {
        topicProblem = problem;
        running.leaveGroup();
        close();
    }

    private Admin admin() throws CannotStart {
        try {
            return Admin.create(options.client());
        } catch (KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new CannotStart("kafka: " + cause.getMessage());
        }
    }

    private void readHistory(TopicNames topics) throws CannotStart {
        PolicyPublisher publisher = new PolicyPublisher(options.client(), topics.policies());
        open.push(publisher);
        ActivePolicies policies = new ActivePolicies(options.policies(), this::follow, publisher::publish);
        FleetListener listener = new FleetListener(fleet, topics, policies, System::nanoTime);
        TopicFollower follower = new TopicFollower(
                options.client(),
                List.of(topics.gateLocks(), topics.loads(), topics.policies(), topics.operator(), topics.agents()),
                listener);
        open.push(follower);
        follower.start();
        try {
            if (!listener.ready().await(HISTORY_SECONDS, TimeUnit.SECONDS)) {
                throw new CannotStart("kafka: the decisions so far could not be read in " + HISTORY_SECONDS + " s: "
                        + follower.trouble());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        }
    }

    private void follow(PolicySet policies) {
        PolicySet before = fleet.policies();
        if (before == null || !before.revision().equals(policies.revision())) {
            log.info("following {} policies, revision {}", policies.policies().size(), policies.revision());
            fleet.policies(policies);
        }
    }

    private Parts parts(TopicNames topics, Map<String, Integer> partitions, LogEnds ends) throws CannotStart {
        List<Parts.Requests> requests = new ArrayList<>();
        int meters = 0;
        for (SourceSettings source : options.sources()) {
            int many = partitions.getOrDefault(source.topic(), 0);
            meters = Math.max(meters, many);
            warnOfClaims(source);
            requests.add(new Parts.Requests(source.topic(), many, () -> LogFormats.of(source)));
        }
        var analyzer = options.analyzer();
        Parts.Rules rules = new Parts.Rules(
                analyzer.instance(),
                analyzer.tick(),
                analyzer.lateness(),
                analyzer.skew(),
                analyzer.backlog(),
                analyzer.maxLease());
        return new Parts(
                topics,
                requests,
                meters,
                partitions.getOrDefault(topics.usage(), 0),
                rules,
                fleet,
                ends,
                tallies,
                System::currentTimeMillis,
                System::nanoTime);
    }

    private static void warnOfClaims(SourceSettings source) throws CannotStart {
        try {
            LogFormat format = LogFormats.of(source);
            if (format.identity() == Identity.CLAIMED) {
                log.warn(
                        "source {}: anybody could claim to be its caller, so policies that count by caller never lock;"
                                + " set identity if the callers are verified",
                        source.topic());
            }
        } catch (IllegalArgumentException e) {
            throw new CannotStart("source " + source.topic() + ": " + e.getMessage());
        }
    }

    /**
     * Waits until it has stopped.
     *
     * @return why, when it was not asked to
     */
    public Optional<String> await() throws InterruptedException {
        Optional<String> why = run == null ? Optional.empty() : run.await(options.analyzer());
        return Optional.ofNullable(topicProblem).or(() -> why);
    }

    /** Whether all its tasks are being worked on. */
    public boolean running() {
        return run != null && run.state() == KafkaStreams.State.RUNNING;
    }

    /** What all its tasks have counted. */
    public Map<Count, Long> counts() {
        return tallies.total();
    }

    /** The counters of its tasks. */
    public Tallies tallies() {
        return tallies;
    }

    /** What its tasks know of callers, and where the other instances' are; nothing before it has started. */
    public Optional<Tasks> tasks() {
        return Optional.ofNullable(tasks);
    }

    /** Its name among the analyzers. */
    public String instance() {
        return options.analyzer().instance();
    }

    /** How far it is behind the newest requests, in milliseconds; nothing while it does not know, or reads none. */
    public OptionalLong lag() {
        return ends == null ? OptionalLong.empty() : ends.lag();
    }

    /** What Kafka Streams, RocksDB and the clients within measure; nothing before it has started. Whoever binds it closes it. */
    public Optional<KafkaStreamsMetrics> kafkaMetrics() {
        return Optional.ofNullable(run).map(StreamsRun::metrics);
    }

    /** What it knows of policies, loads and time. */
    public Fleet fleet() {
        return fleet;
    }

    /** Stops cleanly: what was read is counted and committed. Can be called more than once; it has stopped when any call returns. */
    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                log.warn("while stopping: {}", e.toString());
            }
        }
    }
}
