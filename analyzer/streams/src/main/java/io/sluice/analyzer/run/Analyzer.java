package io.sluice.analyzer.run;

import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.sluice.analyzer.Count;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.topology.AnalyzerTopology;
import io.sluice.analyzer.topology.DeadLetterLog;
import io.sluice.analyzer.topology.Fleet;
import io.sluice.analyzer.topology.Parts;
import io.sluice.analyzer.topology.StoredWindows;
import io.sluice.analyzer.topology.Tallies;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running analyzer. It checks the topics, reads the control topics to their ends, and only then begins to count: a task
 * that does not know the policies would let events pass uncounted. Thread-safe.
 */
public final class Analyzer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Analyzer.class);
    private static final Duration ADMIN_PATIENCE = Duration.ofSeconds(1);

    private final AnalyzerOptions options;
    private final Fleet fleet = new Fleet();
    private final Tallies tallies = new Tallies();
    private final DeadLetterLog deadLetters = new DeadLetterLog(System::nanoTime);
    private final CatchUp catchUp;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable StreamsRun run;
    private @Nullable TaskQueries tasks;
    private @Nullable LogEnds ends;
    private @Nullable TopicWatch watch;
    private volatile @Nullable String problem;

    private Analyzer(AnalyzerOptions options) {
        this.options = options;
        catchUp = new CatchUp(options.analyzer().backlog());
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
        BoundedRocksMemory.preload();
        InstanceLock lock =
                InstanceLock.take(options.stateDirectory(), options.analyzer().instance());
        open.push(lock);
        Admin admin = admin();
        open.push(() -> admin.close(ADMIN_PATIENCE));
        log.info(
                "checking the topics on {}; waiting up to {} s for an answer",
                options.client().get("bootstrap.servers"),
                TopicCheck.patienceSeconds(options));
        TopicCheck check = new TopicCheck(admin, options);
        Map<String, Integer> partitions = check.partitions();
        DistinctHash hash = check.hash();
        TopicNames topics = new TopicNames(options.topics().prefix());
        log.info("reading locks and policies from {} and {}", topics.gateLocks(), topics.policies());
        List<Parts.Requests> requests = RequestTopics.of(options.sources(), partitions);
        int meters =
                requests.stream().mapToInt(Parts.Requests::partitions).max().orElse(0);
        FleetFollowing following = new FleetFollowing(options, topics, fleet, meters);
        open.push(following);
        following.start();
        LogEnds positions = new LogEnds(
                admin,
                options.applicationId(),
                () -> fleet.clock().now(System.nanoTime()),
                fleet.positions()::snapshot,
                fleet.loads()::accepted);
        ends = positions;
        open.push(positions);
        positions.start();
        Parts parts = parts(topics, requests, meters, partitions, positions, hash);
        new InstanceCheck(admin, options).await();
        log.info("starting to count requests; state: {}", options.stateDirectory());
        StreamsRun started = StreamsRun.start(
                options,
                StreamsSettings.of(options, parts.meters() + parts.partitions()),
                config -> AnalyzerTopology.of(parts, config));
        run = started;
        open.push(started);
        Parts.Rules rules = parts.rules();
        StoredWindows windows = new StoredWindows(
                started.streams(), parts.partitions(), rules.lateness() + rules.skew(), fleet.loads());
        tasks = new AnalyzerTasks(
                started.streams(), windows, tallies, fleet.watchRequests(), parts.partitions(), options.address());
        TopicWatch watching = TopicWatch.start(admin, watched(topics), problem -> changed(problem, started));
        watch = watching;
        open.push(watching);
        Path applicationDirectory = options.stateDirectory().resolve(options.applicationId());
        open.push(new StateWatch(lock, applicationDirectory, problem -> stateDeleted(problem, started)).start());
        open.push(ProgressLog.start(this::lag, tallies, catchUp, deadLetters));
    }

    private Set<String> watched(TopicNames topics) {
        Set<String> all = new TreeSet<>();
        Topics.definitions(topics, 1, 1, options.analyzer().maxLease())
                .forEach(definition -> all.add(definition.name()));
        options.sources().forEach(source -> all.add(source.topic()));
        return all;
    }

    private void changed(String problem, StreamsRun running) {
        this.problem = problem;
        running.leaveGroup();
        close();
    }

    private void stateDeleted(String deleted, StreamsRun running) {
        problem = deleted;
        running.discardState();
        // with the state goes the id by which a restart would be recognised
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

    private Parts parts(
            TopicNames topics,
            List<Parts.Requests> requests,
            int meters,
            Map<String, Integer> partitions,
            LogEnds positions,
            DistinctHash hash) {
        var analyzer = options.analyzer();
        return new Parts(
                topics,
                requests,
                meters,
                partitions.getOrDefault(topics.usage(), 0),
                new Parts.Rules(
                        analyzer.instance(),
                        analyzer.tick(),
                        analyzer.commit(),
                        StreamsSettings.longestCommit(analyzer),
                        analyzer.lateness(),
                        analyzer.skew(),
                        analyzer.backlog(),
                        analyzer.maxLease()),
                fleet,
                positions,
                tallies,
                deadLetters,
                hash,
                System::currentTimeMillis,
                System::nanoTime);
    }

    /**
     * Waits until it has stopped.
     *
     * @return why, when it was not asked to
     */
    public Optional<String> await() throws InterruptedException {
        StreamsRun running = run;
        if (running == null) {
            return Optional.empty();
        }
        Optional<String> why = running.await(options.analyzer());
        return Optional.ofNullable(problem)
                .or(() -> running.topicGone() ? topicsNow() : Optional.empty())
                .or(() -> why);
    }

    /** Returns whether it ended because of an outage of Kafka, and no other reason is known. */
    public boolean outage() {
        return problem == null && run != null && run.outage();
    }

    /** Kafka Streams may notice before the watch that a topic is gone; it does not name it. */
    private Optional<String> topicsNow() {
        return Optional.ofNullable(watch).map(TopicWatch::now).filter(problem -> !problem.isEmpty());
    }

    /** Returns whether all its tasks are being worked on. */
    public boolean running() {
        return run != null && run.state() == KafkaStreams.State.RUNNING;
    }

    /** Returns the counters of all its tasks. */
    public Map<Count, Long> counts() {
        return tallies.total();
    }

    /** The counters of its tasks. */
    public Tallies tallies() {
        return tallies;
    }

    /** What its tasks know of callers, and where the other instances' are; nothing before it has started. */
    public Optional<TaskQueries> tasks() {
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

    /** Returns by how much it reads so far behind the newest requests that nothing is locked, and how far; empty otherwise. */
    public String catchingUp() {
        return catchUp.detail();
    }

    /** What Kafka Streams, RocksDB and the clients within measure; empty before it has started. To be closed by the caller. */
    public Optional<KafkaStreamsMetrics> kafkaMetrics() {
        return Optional.ofNullable(run).map(StreamsRun::metrics);
    }

    /** What it knows of policies, loads and time. */
    public Fleet fleet() {
        return fleet;
    }

    /** Broker time in epoch milliseconds, or the best guess at it until it is known. */
    public long brokerTime() {
        return fleet.brokerTime(System.nanoTime(), System.currentTimeMillis());
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
