package io.sluice.analyzer.main;

import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.topic.TopicNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;

/** Analyzers, each a process, that are killed in mid-stream and come back. */
final class KilledAnalyzers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SECOND = 1_000;
    private static final Duration LOOK = Duration.ofMillis(50);

    private final Path folder;
    private final String settings;
    private final Random random;
    private final Map<String, AnalyzerProcess> processes = new LinkedHashMap<>();
    private final List<Long> kills = new ArrayList<>();
    private final TopicNames topics;
    private final int partitions;

    KilledAnalyzers(Path folder, String settings, TopicNames topics, int partitions, long seed) {
        this.folder = folder;
        this.settings = settings;
        this.topics = topics;
        this.partitions = partitions;
        random = new Random(seed);
    }

    void start(String instance) throws IOException {
        processes.put(instance, AnalyzerProcess.start(folder, instance, settings));
    }

    /** When SIGKILL was sent, epoch milliseconds, in order. */
    List<Long> kills() {
        return kills;
    }

    private AnalyzerProcess process(String instance) {
        AnalyzerProcess process = processes.get(instance);
        if (process == null) {
            throw new IllegalArgumentException("no analyzer " + instance);
        }
        return process;
    }

    /** Kills in the midst of a commit: that is when most of the usage leaves, and what has left may leave again. */
    void killAtCommit(String instance) throws InterruptedException {
        try (TopicTail usage = TopicTail.uncommitted(topics.usage())) {
            usage.skip();
            if (!usage.await(PATIENCE)) {
                throw new AssertionError(this + " sends nothing");
            }
            kill(instance);
        }
    }

    void kill(String instance) throws InterruptedException {
        kills.add(System.currentTimeMillis());
        process(instance).kill();
    }

    void restart(String instance) throws IOException {
        process(instance).restart();
    }

    /** Waits until every partition is decided by a task that knows what time it is. */
    void awaitAble() {
        long from = System.currentTimeMillis();
        // before the first analyzer has made the topics, there is nothing to read
        await().atMost(PATIENCE).until(this::topicsAreThere);
        try (TopicTail locks = TopicTail.committed(topics.gateLocks())) {
            until(() -> new LockHistory(locks.read()).allAbleSince(from, partitions));
        }
    }

    private boolean topicsAreThere() throws Exception {
        var names = TestKafka.admin().listTopics().names().get();
        return names.contains(topics.gateLocks()) && names.contains(topics.usage());
    }

    /** Waits until every meter has sent events of this second. */
    void awaitPresent() {
        long present = System.currentTimeMillis() - SECOND;
        try (TopicTail usage = TopicTail.committed(topics.usage())) {
            SentUsage sent = new SentUsage();
            usage.skip();
            until(() -> sent.add(usage.drain()).reachedByAll(partitions) > present);
        }
    }

    /** Waits until meters that began after a time have sent something, committed or not. */
    void awaitUsageOfLivesAfter(long time) {
        try (TopicTail usage = TopicTail.uncommitted(topics.usage())) {
            SentUsage sent = new SentUsage();
            usage.skip();
            until(() -> sent.add(usage.drain()).newestEpoch() > time);
        }
    }

    /** Lets a random time go by. */
    void goOn(long least, long most) {
        long until = System.nanoTime() + (least + random.nextInt((int) (most - least + 1))) * 1_000_000;
        until(() -> System.nanoTime() >= until);
    }

    private void until(Callable<Boolean> condition) {
        try {
            await().atMost(PATIENCE).pollInterval(LOOK).pollDelay(Duration.ZERO).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(this + " did not get there in " + PATIENCE, e);
        }
    }

    /** SIGTERM to all that run. */
    void terminate() throws InterruptedException {
        for (AnalyzerProcess process : processes.values()) {
            if (process.alive()) {
                process.terminate();
            }
        }
    }

    @Override
    public String toString() {
        return processes.values().toString();
    }

    @Override
    public void close() {
        processes.values().forEach(AnalyzerProcess::close);
    }
}
