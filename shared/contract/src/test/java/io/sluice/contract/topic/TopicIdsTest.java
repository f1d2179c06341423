package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TopicIdsTest {
    private static final String TOPIC = "followed";

    private final Logger logger = (Logger) LoggerFactory.getLogger(TopicIds.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final TopicIds ids = new TopicIds(List.of(TOPIC), this::admin, Duration.ZERO);
    private KafkaFutureImpl<TopicDescription> answer = new KafkaFutureImpl<>();
    private int clients;

    @BeforeEach
    void listen() {
        logged.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
        logger.setLevel(null);
    }

    @Test
    void changed_sameId_isFalse() {
        Uuid id = Uuid.randomUuid();

        assertThat(answered(id)).isFalse();
        assertThat(answered(id)).isFalse();
        assertThat(ids.known()).isTrue();
    }

    @Test
    void changed_otherId_isTrueOnce() {
        Uuid id = Uuid.randomUuid();
        answered(Uuid.randomUuid());

        assertThat(answered(id)).isTrue();
        assertThat(answered(id)).isFalse();
    }

    @Test
    void changed_otherIdAfterForget_isFalse() {
        answered(Uuid.randomUuid());

        ids.forget();

        assertThat(answered(Uuid.randomUuid())).isFalse();
    }

    @Test
    void changed_noAnswerYet_isFalseAtOnce() {
        assertThat(ids.changed()).isFalse();
        assertThat(ids.changed()).isFalse();
        assertThat(ids.known()).isFalse();
    }

    @Test
    void changed_otherIdAfterMissingTopicTimeoutAndNewClient_isTrue() {
        answered(Uuid.randomUuid());
        assertThat(failed(new UnknownTopicOrPartitionException())).isFalse();
        assertThat(failed(new TimeoutException())).isFalse();
        ids.close();

        ids.changed();
        assertThat(answered(Uuid.randomUuid())).isTrue();
        assertThat(clients).isEqualTo(2);
        assertThat(logged.list).isEmpty();
    }

    @Test
    void changed_withoutRightsOrIds_isFalseAndLoggedOnce() {
        assertThat(failed(new TopicAuthorizationException(TOPIC))).isFalse();
        assertThat(failed(new TopicAuthorizationException(TOPIC))).isFalse();
        assertThat(answered(Uuid.ZERO_UUID)).isFalse();

        assertThat(ids.known()).isFalse();
        assertThat(logged.list)
                .singleElement()
                .asString()
                .contains("WARN", "topic ids of " + TOPIC + " are not available", "TopicAuthorizationException");
    }

    /** Completes the question under way, and asks the next one. */
    private boolean answered(Uuid id) {
        ids.changed();
        KafkaFutureImpl<TopicDescription> asked = answer;
        answer = new KafkaFutureImpl<>();
        asked.complete(new TopicDescription(TOPIC, false, List.of(), null, id));
        return ids.changed();
    }

    private boolean failed(Exception problem) {
        ids.changed();
        KafkaFutureImpl<TopicDescription> asked = answer;
        answer = new KafkaFutureImpl<>();
        asked.completeExceptionally(problem);
        return ids.changed();
    }

    private Admin admin() {
        clients++;
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> method.getName().equals("describeTopics") ? new Answer(answer) : null);
    }

    private static final class Answer extends DescribeTopicsResult {
        Answer(KafkaFuture<TopicDescription> answer) {
            super(null, Map.of(TOPIC, answer));
        }
    }
}
