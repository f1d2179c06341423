package io.sluice.contract.topic;

/**
 * A problem of a topic, with its remedy.
 *
 * @param problem what was found and what is needed
 * @param remedy a command, or what to do
 * @param warning true: it works, but not as well as it could
 */
public record TopicProblem(String topic, String problem, String remedy, boolean warning) {

    /** One line for a log or a terminal. */
    @Override
    public String toString() {
        return topic + ": " + problem + "; " + remedy;
    }
}
