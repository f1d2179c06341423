package io.sluice.demo.traffic;

/** Takes what became of each request; called from several threads at once. */
@FunctionalInterface
public interface Answers {
    /** Too many requests: the gate rejected it. */
    int REJECTED = 429;

    /** There was no answer: the connection was refused or lost. */
    int NONE = 0;

    /** There was no answer in time. */
    int TIMED_OUT = -1;

    /**
     * @param status of the response, {@link #NONE} or {@link #TIMED_OUT} when there was none
     * @param sent when the request left, epoch milliseconds
     * @param micros until the response was complete
     */
    void answered(String caller, int status, long sent, long micros);

    /** Passes answers to both. */
    default Answers and(Answers other) {
        return (caller, status, sent, micros) -> {
            answered(caller, status, sent, micros);
            other.answered(caller, status, sent, micros);
        };
    }
}
