package io.sluice.analyzer.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the topics are still the ones with which the analyzer started. Of a topic that is deleted, made anew or grown
 * Kafka Streams notices late, and only if it reads it; producers wait for it in vain, and nothing is decided meanwhile. A thread of its own looks.
 */
final class TopicWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TopicWatch.class);
    private static final long EVERY_MILLIS = 2_000;
    private static final long PATIENCE_SECONDS = 5;
    /** A broker that is just starting may not know its topics yet: so often in a row the answer has to be the same. */
    static final int SIGHTINGS = 3;
    /** The message for a topic that is gone, wherever it is noticed. */
    static final String DELETED =
            "was deleted while the analyzer ran; ./sluice topics create, then start the analyzer again";

    private final Look look;
    private final Consumer<String> whenChanged;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-topics");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Topic> first = new TreeMap<>();
    private String problem = "";
    private int sightings;

    /** Identity of a topic. */
    record Topic(Uuid id, int partitions) {}

    /** Asks for the topics that are there. */
    @FunctionalInterface
    interface Look {
        Map<String, Topic> topics() throws ExecutionException, TimeoutException, InterruptedException;
    }

    /** @param whenChanged called once at most, on the watch's thread, with a line for each topic */
    TopicWatch(Look look, Consumer<String> whenChanged) {
        this.look = look;
        this.whenChanged = whenChanged;
    }

    /** Watches these until it is closed. */
    static TopicWatch start(Admin admin, Collection<String> topics, Consumer<String> whenChanged) {
        TopicWatch watch = new TopicWatch(() -> find(admin, topics), whenChanged);
        var unused = watch.looking.scheduleWithFixedDelay(watch::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    private static Map<String, Topic> find(Admin admin, Collection<String> topics)
            throws ExecutionException, TimeoutException, InterruptedException {
        Map<String, Topic> found = new TreeMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> answer :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                TopicDescription topic = answer.getValue().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                found.put(
                        answer.getKey(),
                        new Topic(topic.topicId(), topic.partitions().size()));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return found;
    }

    void look() {
        if (sightings < SIGHTINGS) {
            problems().ifPresent(this::seen);
        }
    }

    /** Returns a line for each topic that was replaced, without waiting for a second answer. Thread-safe. */
    String now() {
        return problems().orElse("");
    }

    /** Empty when no broker answers: then nothing is known. */
    private synchronized Optional<String> problems() {
        try {
            Map<String, Topic> now = look.topics();
            now.forEach(first::putIfAbsent);
            return Optional.of(String.join("\n", problems(now)));
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            log.debug("the topics are not known", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    private List<String> problems(Map<String, Topic> now) {
        List<String> problems = new ArrayList<>();
        first.forEach((name, before) -> {
            Topic topic = now.get(name);
            if (topic == null) {
                problems.add("topic " + name + ": " + DELETED);
            } else if (!topic.id().equals(before.id())) {
                problems.add(
                        "topic " + name
                                + ": was made anew while the analyzer ran; ./sluice topics verify, then start the analyzer again");
            } else if (topic.partitions() != before.partitions()) {
                problems.add("topic " + name + ": has " + topic.partitions() + " partitions, and had "
                        + before.partitions() + " when the analyzer started; restart it, and it prints the remedy");
            }
        });
        return problems;
    }

    private void seen(String now) {
        sightings = !now.isEmpty() && now.equals(problem) ? sightings + 1 : Math.min(1, now.length());
        problem = now;
        if (sightings == SIGHTINGS) {
            whenChanged.accept(now);
        }
    }

    @Override
    public void close() {
        looking.shutdown();
    }
}
