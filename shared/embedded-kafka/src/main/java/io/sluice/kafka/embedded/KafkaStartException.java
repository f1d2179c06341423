package io.sluice.kafka.embedded;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The broker could not be started; the message has the reason in one line and the remedy. */
public final class KafkaStartException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    KafkaStartException(String message) {
        this(message, null);
    }

    KafkaStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
