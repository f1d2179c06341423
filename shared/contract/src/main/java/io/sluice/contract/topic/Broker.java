package io.sluice.contract.topic;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InterruptException;

/** Answers and address of a broker. */
final class Broker {
    private Broker() {}

    /** Waits for the answer; a refusal is thrown as the very exception that Kafka gave for it. */
    static <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            // sets the thread's flag again
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException refused) {
                throw refused;
            }
            throw new KafkaException(e.getCause());
        }
    }

    static void pause(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** An address to write into a command. */
    static String address(Admin admin) {
        return answer(admin.describeCluster().nodes()).stream()
                .findFirst()
                .map(Broker::address)
                .orElse("BROKER");
    }

    private static String address(Node node) {
        return node.host() + ":" + node.port();
    }
}
