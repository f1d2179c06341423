package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class DeathNoteTest {
    @Test
    void outage_errorOfKafkaThatANewRunSurvives_isTrue() {
        TimeoutException timeout = new TimeoutException("Topic sluice.usage not present in metadata after 60000 ms.");

        assertThat(DeathNote.outage(new StreamsException(timeout))).isTrue();
        assertThat(DeathNote.outage(new StreamsException(new KafkaException(new CommitFailedException()))))
                .isTrue();
        assertThat(DeathNote.outage(new StreamsException(new KafkaException("no acknowledgment"))))
                .isTrue();
        assertThat(DeathNote.outage(new StreamsException(new InvalidProducerEpochException("aborted by the broker"))))
                .isTrue();
        assertThat(DeathNote.outage(new StreamsException(new InvalidTxnStateException("its time was over"))))
                .isTrue();
        assertThat(
                        DeathNote.outage(
                                new IllegalStateException(
                                        "Cannot attempt operation `beginTransaction` because the previous call to `commitTransaction` timed out and must be retried")))
                .isTrue();
        assertThat(new CannotStart("kafka: " + timeout, new IllegalStateException(timeout)).outage())
                .isTrue();
    }

    @Test
    void outage_otherCauses_isFalse() {
        assertThat(DeathNote.outage(new StreamsException(new AuthorizationException("refused"))))
                .isFalse();
        assertThat(DeathNote.outage(null)).isFalse();
        assertThat(DeathNote.outage(new StreamsException(new FencedInstanceIdException("another one joined"))))
                .isFalse();
        assertThat(DeathNote.outage(new IllegalStateException("a bug"))).isFalse();
        assertThat(new CannotStart("topic sluice.usage: is missing").outage()).isFalse();
    }
}
