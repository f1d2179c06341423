package io.sluice.analyzer.cli;

import static io.sluice.analyzer.cli.Connection.ANSWER;
import static io.sluice.analyzer.cli.Connection.PATIENCE;

import io.sluice.contract.topic.TopicFollower;
import io.sluice.settings.InvalidSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/** The wait of a command until a follower has read its topics to the end. */
final class FirstRead {
    /** Most topics are read within this time. */
    private static final Duration PROMPT = Duration.ofSeconds(1);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Connection connection;
    private final CountDownLatch read;
    private final TopicFollower follower;

    /**
     * @param read counted down when the topics have been read
     */
    FirstRead(Connection connection, CountDownLatch read, TopicFollower follower) {
        this.connection = connection;
        this.read = read;
        this.follower = follower;
    }

    /**
     * Waits until the topics have been read, and warns of partitions without a leader.
     *
     * @throws Refused when no broker answers within {@link Connection#ANSWER}, a topic cannot be read, or reading takes longer than
     *     {@link Connection#PATIENCE}
     */
    void await() throws InvalidSettings, Refused, InterruptedException {
        if (await(PROMPT)) {
            return;
        }
        // The follower retries in silence: another client finds out whether a broker answers.
        connection.admin(ANSWER.minus(PROMPT)).close(Duration.ZERO);
        String trouble = follower.trouble();
        boolean lasting = trouble != null
                && (trouble.startsWith(KafkaProblem.NO_TOPIC) || NotAllowed.because(new KafkaException(trouble)));
        if (!lasting && await(PATIENCE)) {
            return;
        }
        trouble = follower.trouble();
        throw trouble == null
                ? new Refused("Kafka at " + connection.servers() + " did not send the whole topics within "
                        + PATIENCE.toSeconds() + " s.")
                : connection.unreachable(new KafkaException(trouble));
    }

    /** Waits for the end of the topics, or of all partitions that have a leader. */
    private boolean await(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean done = false;
        while (!done && System.nanoTime() < deadline) {
            done = read.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)
                    || !follower.leaderless().isEmpty();
        }
        connection.warn(Connection.leaderless(follower.leaderless()));
        connection.unsigned(follower.refused());
        return done;
    }
}
