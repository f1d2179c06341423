package io.sluice.analyzer.run;

import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.sluice.contract.topic.TimeLimit;
import io.sluice.settings.AnalyzerSettings;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one owner of Kafka Streams: starts it, waits for its end, stops it. When a thread dies everything stops: a
 * supervisor that restarts the process does better than a process that lives on with a part of its tasks.
 */
final class StreamsRun implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StreamsRun.class);
    /** A broker that is gone must not keep a stopping process alive: with all that closes after it, it is gone in ten seconds by default. */
    private static final Duration CLOSE_PATIENCE = TimeLimit.of(Duration.ofSeconds(6));

    private final KafkaStreams streams;
    private final RunMark mark;
    private final Path directory;
    private final Runnable leaving;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Throwable cause;
    private volatile KafkaStreams.@Nullable State told;
    private volatile boolean leaves;
    private volatile boolean discards;

    private StreamsRun(Topology topology, StreamsConfig config, RunMark mark, Path directory, Runnable leaving) {
        this.mark = mark;
        this.directory = directory;
        this.leaving = leaving;
        streams = new KafkaStreams(topology, config);
        streams.setStateListener((now, before) -> {
            tell(now);
            if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
                ended.countDown();
            }
        });
        streams.setUncaughtExceptionHandler(this::died);
    }

    /**
     * Starts. State that can't be opened is deleted, once a task, and rebuilt from its changelog.
     *
     * @param topology a new one for each try
     */
    static StreamsRun start(AnalyzerOptions options, StreamsConfig config, Function<StreamsConfig, Topology> topology)
            throws CannotStart {
        Path directory = options.stateDirectory().resolve(options.applicationId());
        Set<Path> wiped = new HashSet<>();
        RunMark mark = new RunMark(options.stateDirectory(), directory);
        while (true) {
            begin(mark, options.analyzer().exactlyOnce());
            StreamsRun run =
                    new StreamsRun(topology.apply(config), config, mark, directory, () -> GroupExit.leave(options));
            try {
                run.streams.start();
                return run;
            } catch (RuntimeException e) {
                run.close();
                if (CorruptState.diskFull(e)) {
                    throw new CannotStart(DeathNote.noRoom(directory));
                }
                Optional<Path> broken = CorruptState.taskDirectory(e, directory);
                if (broken.isEmpty() || !Files.exists(broken.get()) || !wiped.add(broken.get())) {
                    throw new CannotStart("the analyzer could not start: " + e, e);
                }
                rebuild(broken.get(), e);
            }
        }
    }

    private static void begin(RunMark mark, boolean exactlyOnce) throws CannotStart {
        try {
            if (!mark.begin(exactlyOnce).isEmpty()) {
                log.info("the last run was killed: its state may hold what was never committed, rebuilding it");
            }
        } catch (UncheckedIOException e) {
            throw new CannotStart("analyzer.state-dir: " + e.getMessage() + ": " + e.getCause());
        }
    }

    private static void rebuild(Path broken, Throwable why) {
        log.error(
                "the state in {} is broken ({}), rebuilding it from its changelog",
                broken,
                DeathNote.root(why).toString());
        CorruptState.wipe(broken);
    }

    /** Tasks move in several steps, each with a rebalance: what it comes back to is no news. */
    private void tell(KafkaStreams.State now) {
        if (now == KafkaStreams.State.REBALANCING || now == told) {
            log.debug("analyzer is {}", now);
        } else {
            told = now;
            log.info("analyzer is {}", now);
        }
    }

    private StreamThreadExceptionResponse died(Throwable failure) {
        cause = failure;
        log.error("a stream thread died, stopping", failure);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    /** Waits for the end and returns its cause; empty for a clean stop. */
    Optional<String> await(AnalyzerSettings analyzer) throws InterruptedException {
        ended.await();
        Throwable failure = cause;
        if (failure == null) {
            return streams.state() == KafkaStreams.State.ERROR
                    ? Optional.of("the analyzer stopped with an error, see the log")
                    : Optional.empty();
        }
        return Optional.of(DeathNote.of(failure, directory, analyzer.instance()));
    }

    /** Returns whether it ended because Kafka Streams missed a topic; it does not name it. */
    boolean topicGone() {
        return DeathNote.topicGone(cause);
    }

    /** Returns whether it ended because of an outage of Kafka. */
    boolean outage() {
        return DeathNote.outage(cause);
    }

    /** Returns Kafka Streams, for its state and metadata. */
    KafkaStreams streams() {
        return streams;
    }

    /** Returns the metrics of Kafka Streams, RocksDB and the clients; to be closed by the caller. */
    KafkaStreamsMetrics metrics() {
        return new KafkaStreamsMetrics(streams);
    }

    KafkaStreams.State state() {
        return streams.state();
    }

    /** Gives up its place in the group when it stops: the tasks that it was assigned last are of topics that are not there. */
    void leaveGroup() {
        leaves = true;
    }

    /** Deletes what is left of the state when it stops: a part of it was deleted by others. */
    void discardState() {
        discards = true;
    }

    /** Commits, keeps its place in the group for a restart that can do with it, and stops. */
    @Override
    public void close() {
        if (!streams.close(CLOSE_PATIENCE)) {
            log.warn("gave up waiting for a clean stop after {} s", CLOSE_PATIENCE.toSeconds());
        } else {
            closed();
        }
        if (leaves || topicGone()) {
            leaving.run();
        }
        ended.countDown();
    }

    /** What it could not read it could not read at the next start either. */
    private void closed() {
        Throwable failure = cause;
        if (discards) {
            if (Files.exists(directory)) {
                CorruptState.wipe(directory);
            }
            mark.end();
        } else if (failure == null) {
            mark.end();
        } else {
            CorruptState.taskDirectory(failure, directory)
                    .filter(Files::exists)
                    .ifPresent(broken -> rebuild(broken, failure));
        }
    }
}
