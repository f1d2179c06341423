package io.sluice.analyzer.cli;

import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.AuthenticationException;

/** The message of a cluster that doesn't answer, or rejects the user or the request: its address, the reason and what to check. */
final class KafkaProblem {
    /** How the message of a missing topic begins. */
    static final String NO_TOPIC = "no such topic";

    /** The remedy for a missing topic, to follow the message. */
    static final String CREATE = "; './sluice topics create' creates Sluice's topics";

    private static final String BOOTSTRAP = "SLUICE_KAFKA_BOOTSTRAP_SERVERS";

    private KafkaProblem() {}

    /** Returns the message of a failure of Kafka's clients. */
    static Refused of(String servers, Exception failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (NotAllowed.because(failure)) {
            return new NotAllowed("Kafka at " + servers + " denied the request to this user: " + message);
        }
        if (cause instanceof TimeoutException || cause instanceof org.apache.kafka.common.errors.TimeoutException) {
            return noAnswer(servers, "did not answer within " + Connection.ANSWER.toSeconds() + " s.");
        }
        if (cause instanceof AuthenticationException) {
            return new Refused("Kafka at " + servers + " rejected the login: " + message
                    + ". Check the security settings in the file that kafka.properties-file names.");
        }
        return new Refused("Kafka at " + servers + " failed the request: " + message
                + (message.startsWith(NO_TOPIC) ? CREATE : ""));
    }

    /** Returns the message of addresses that cannot be used; {@code what} follows "Kafka at HOST:PORT". */
    static Refused noAnswer(String servers, String what) {
        return new Refused("Kafka at " + servers + " " + what
                + " Check that it runs and is reachable from here, or name another one:"
                + " --bootstrap, kafka.bootstrap.servers in sluice.yml, or " + BOOTSTRAP + ".");
    }
}
