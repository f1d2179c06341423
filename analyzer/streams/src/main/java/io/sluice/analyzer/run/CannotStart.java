package io.sluice.analyzer.run;

import java.util.List;

/** The analyzer can't start. The message has the reasons and remedies, a line each. */
public final class CannotStart extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<String> reasons;

    /** @param reasons at least one line */
    public CannotStart(List<String> reasons) {
        super(String.join(System.lineSeparator(), reasons));
        this.reasons = List.copyOf(reasons);
    }

    /** @param reason one line */
    public CannotStart(String reason) {
        this(List.of(reason));
    }

    /** @param reason one line */
    public CannotStart(String reason, Throwable cause) {
        this(reason);
        initCause(cause);
    }

    /** Returns whether an outage of Kafka is the reason. */
    public boolean outage() {
        return DeathNote.outage(getCause());
    }

    /** At least one line. */
    public List<String> reasons() {
        return reasons;
    }
}
