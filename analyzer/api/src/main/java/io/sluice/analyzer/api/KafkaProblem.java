package io.sluice.analyzer.api;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;

/** What a failure of a Kafka client means for users of the API. */
final class KafkaProblem {
    private KafkaProblem() {}

    /** Returns the answer to a question that Kafka did not let the analyzer answer. */
    static Question.Wrong answer(KafkaException failure) {
        // the text of a timeout names a call of the client, not the remedy
        return new Question.Wrong(
                503,
                failure instanceof TimeoutException
                        ? "Kafka did not answer in time; check that its brokers run: './sluice doctor'"
                        : "Kafka failed the request: " + failure.getMessage());
    }
}
